"""What runs the product: the web server and its address, the workers of this machine, and how both are ended."""
