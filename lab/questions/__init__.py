"""Training of the models that read what a request asks for."""
