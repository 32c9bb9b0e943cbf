"""Vectors of texts: the bundled model, an OpenAI-compatible endpoint or none, loaded when first used."""

from core.embeddings.choice import open_embedder, wanted_dimensions
from core.embeddings.embedder import Embedder, Vectors
from core.embeddings.none import NoEmbedder

__all__ = ["Embedder", "NoEmbedder", "Vectors", "open_embedder", "wanted_dimensions"]
