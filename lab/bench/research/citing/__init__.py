"""Labelled cases of quotations and references, made by mutation from invented passages and works."""
