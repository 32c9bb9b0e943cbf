"""Find the weightiest gap of a document, by rule or by a model, against what the sources say."""
