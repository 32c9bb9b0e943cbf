"""How writers mark whom they write about where the form's radio buttons were lost in the re-flow."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from lab.samples.canvas import Canvas, union
from lab.samples.forms import form_2026
from lab.samples.truth import Truth

#: (before the chosen label, behind it, before the others), and the face that has the signs.
_STYLES: tuple[tuple[str, str, str], ...] = (
    ("X ", "", ""),
    ("x ", "", ""),
    ("", " X", ""),
    ("", " x", ""),
    ("(X) ", "", "( ) "),
    ("[x] ", "", "[ ] "),
    ("● ", "", "○ "),
    ("☒ ", "", "☐ "),
    ("✔ ", "", ""),
    ("", " ✓", ""),
)


@dataclass(frozen=True)
class Marks:
    """One writer's way to mark; without a choice the labels stay as they are printed."""

    about: str | None
    before: str
    behind: str
    others: str

    def write(self, canvas: Canvas, truth: Truth, x: float, y: float, label: str) -> None:
        """Write a label, marked if it is the chosen one."""
        names = {text: about for about, text in form_2026.RADIO_LABELS.items()}
        if self.about is None or label not in names:
            canvas.text(x, y, label, 9)
            return
        chosen = names[label] == self.about
        rects = []
        for text in (self.before, label, self.behind) if chosen else (self.others, label):
            if text:
                signs = any(ord(char) > 0x2000 for char in text)
                rects.append(canvas.text(x, y, text, 9, "dejavu" if signs else "sans"))
                x = rects[-1].x1
        around = union(rects)
        if chosen and around is not None:
            truth.hazards.append("radio_marked_in_text")
            truth.put("writing_about", self.about, canvas, [around])


def draw_marks(rng: Random, about: str | None) -> Marks:
    """A way to mark; four in ten never marked what was no button any more."""
    if rng.random() < 0.4:
        about = None
    return Marks(about, *rng.choice(_STYLES))
