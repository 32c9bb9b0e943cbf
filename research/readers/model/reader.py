"""The reader that asks a language model, and lets the rules read what the model could not."""

from __future__ import annotations

from research.readers.model.drafting import Drafting
from research.readers.model.items import Cataloguing
from research.readers.model.planning import Planning
from research.readers.model.proven import Proving
from research.readers.model.reading import Reading


class ModelReader(Planning, Reading, Cataloguing, Proving, Drafting):
    """See `research.readers.protocol.Reader`; each part asks the model for what it is named after."""
