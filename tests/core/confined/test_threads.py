"""A child without rights may start threads: decoders of pictures do."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from core.config import ROOT

#: Takes an ordinary id after all is loaded, as root would not be refused anything.
_DECODES = """
import io, os, pillow_heif
from PIL import Image
from core.confined.limits import ConfinedLimits, impose
pillow_heif.register_heif_opener(thumbnails=False)
drawn = io.BytesIO()
Image.new("RGB", (64, 48), "red").save(drawn, "HEIF")
if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid(54321, 54321, 54321)
    os.setresuid(54321, 54321, 54321)
impose(ConfinedLimits())
with Image.open(io.BytesIO(drawn.getvalue())) as picture:
    picture.load()
    print(picture.size)
"""


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="no such ids here")
def test_a_picture_of_a_phone_is_decoded_without_rights() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _DECODES], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.strip() == "(64, 48)", done.stderr
