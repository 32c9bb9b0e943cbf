"""Handwritten answers that leave their place: over labels, into margins, onto the next line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from core.confined.mupdf import pymupdf
from lab.samples.canvas import Canvas
from lab.samples.entry import Entry
from lab.samples.forms.form_2025 import Rows
from lab.samples.hand.handwriting import Hand
from lab.samples.truth import Truth

#: Left and right edge of the box that the school belongs into, in points.
_BOX = (498.0, 578.0)
#: Share of the sheets on which a second answer leaves its place.
_SECOND = 0.4
#: Letters are hardly written larger or smaller than this, in points.
_LARGEST, _SMALLEST = 26.0, 8.0


@dataclass(frozen=True)
class Scene:
    """Who writes what onto which page."""

    rng: Random
    canvas: Canvas
    entry: Entry
    hand: Hand
    rows: Rows

    def write(self, x: float, y: float, text: str, size: float) -> pymupdf.Rect:
        """Write one line."""
        return self.hand.write(self.canvas, x, y, text, size)

    def spread(self, text: str, width: float) -> float:
        """Return the size at which a text is so wide."""
        size = self.hand.size * width / self.hand.width(text, self.hand.size)
        return min(max(size, _SMALLEST), _LARGEST)


@dataclass(frozen=True)
class Way:
    """One way in which the answer of a field leaves its place."""

    field: str
    #: Ways with the same region would be written over each other.
    region: str
    #: How often it occurs as the second of a sheet.
    share: float
    suits: Callable[[Entry, Hand], bool]
    write: Callable[[Scene], list[pymupdf.Rect]]


def _name_over_label(scene: Scene) -> list[pymupdf.Rect]:
    """In large letters through the label of the right column."""
    x, name = scene.rng.uniform(200, 235), scene.entry.name or ""
    size = scene.spread(name, scene.rng.uniform(445, 492) - x)
    return [scene.write(x, scene.rows.name + scene.rng.gauss(-3.5, 2.5), name, size)]


def _surname_below(scene: Scene) -> list[pymupdf.Rect]:
    """The family name under the given name, between two labels."""
    rng, size = scene.rng, min(scene.hand.size, scene.rng.uniform(10, 13))
    x, y = rng.uniform(200, 220), scene.rows.name - rng.uniform(3, 7)
    first = scene.write(x, y, " ".join(scene.entry.given), size)
    below = scene.rows.name + rng.uniform(6.5, 10)
    return [first, scene.write(x + rng.uniform(-4, 60), below, " ".join(scene.entry.family), size)]


def _name_above_label(scene: Scene) -> list[pymupdf.Rect]:
    """Over the line of its label, not behind it."""
    name, rng = scene.entry.name or "", scene.rng
    size = min(scene.hand.size, scene.spread(name, 300))
    return [scene.write(rng.uniform(45, 130), scene.rows.name - rng.uniform(11, 15), name, size)]


def _name_twice(scene: Scene) -> list[pymupdf.Rect]:
    """In its field and once more in the upper right corner, as school papers want it."""
    name, rng = scene.entry.name or "", scene.rng
    size = min(scene.hand.size, scene.spread(name, 205))
    place = scene.write(rng.uniform(200, 212), scene.rows.name + rng.gauss(-2.5, 2), name, size)
    again = min(scene.hand.size, scene.spread(name, 180))
    scene.write(rng.uniform(350, 400), rng.uniform(24, 48), name, again)
    return [place]


def _father_over_label(scene: Scene) -> list[pymupdf.Rect]:
    """Through the label of the right column."""
    father = scene.entry.father or ""
    size = scene.spread(father, scene.rng.uniform(440, 486) - 288)
    return [scene.write(288, scene.rows.father + scene.rng.gauss(-2.5, 2), father, size)]


def _school_beside_box(scene: Scene) -> list[pymupdf.Rect]:
    """Its last word in the margin beside the box."""
    rng, words = scene.rng, (scene.entry.school_written or "").split()
    y, inside = scene.rows.school + rng.gauss(-1.5, 1), " ".join(words[:-1])
    size = min(scene.hand.size, 13.0, scene.spread(inside, _BOX[1] - _BOX[0] - 3))
    last = min(max(size, 9.0), scene.spread(words[-1], 28))
    return [scene.write(_BOX[0], y, inside, size), scene.write(_BOX[1] + 3, y + rng.gauss(0, 2), words[-1], last)]


def _school_over_label(scene: Scene) -> list[pymupdf.Rect]:
    """Begun in the box, ended over the label below it."""
    rng, words = scene.rng, (scene.entry.school_written or "").split()
    half = (len(words) + 1) // 2
    first, rest = " ".join(words[:half]), " ".join(words[half:])
    size = min(scene.hand.size, scene.spread(first, 108))
    y = scene.rows.school + rng.gauss(-2, 1)
    x = rng.uniform(430, 500)
    below = min(size, scene.spread(rest, 604 - x))
    return [scene.write(_BOX[0], y, first, size), scene.write(x, y + size * rng.uniform(0.85, 1.1), rest, below)]


def _email_two_lines(scene: Scene) -> list[pymupdf.Rect]:
    """Broken off before the label of the phone, its end on the line below."""
    rng = scene.rng
    first, rest = _broken(rng, scene.entry.email or "")
    size = min(max(scene.hand.size, 12.0), scene.spread(first, 146))
    below = scene.rows.email + rng.uniform(11, 13.5)
    return [
        scene.write(63, scene.rows.email - rng.uniform(0, 2), first, size),
        scene.write(rng.uniform(40, 70), below, rest, min(size, 13)),
    ]


def _email_around_label(scene: Scene) -> list[pymupdf.Rect]:
    """Broken off before the label of the phone, its end behind that label."""
    rng = scene.rng
    first, rest = _broken(rng, scene.entry.email or "")
    y = scene.rows.email - rng.uniform(0, 2)
    size = min(scene.hand.size, scene.spread(first, 146), scene.spread(rest, 132))
    return [scene.write(63, y, first, size), scene.write(rng.uniform(286, 292), y, rest, size)]


def _email_over_label(scene: Scene) -> list[pymupdf.Rect]:
    """In large letters straight through the label of the phone."""
    email = scene.entry.email or ""
    size = scene.spread(email, scene.rng.uniform(300, 400) - 63)
    return [scene.write(63, scene.rows.email + scene.rng.gauss(-1.5, 1.5), email, size)]


def _phone_below(scene: Scene) -> list[pymupdf.Rect]:
    """Under its line or under the prompts below it."""
    rng, phone = scene.rng, scene.entry.phone or ""
    under_prompts = rng.random() < 0.5
    x = rng.uniform(40, 300) if under_prompts else rng.uniform(215, 300)
    y = scene.rows.essay_top - rng.uniform(4, 7) if under_prompts else scene.rows.email + rng.uniform(12, 14)
    return [scene.write(x, y, phone, min(scene.hand.size, rng.uniform(10, 13)))]


def _broken(rng: Random, email: str) -> tuple[str, str]:
    """Break an address before its "@" or somewhere in its second half."""
    at = email.index("@") if rng.random() < 0.6 else rng.randint(len(email) // 2, len(email) - 4)
    return email[:at], email[at:]


def _has_wide_name(entry: Entry, hand: Hand) -> bool:
    return hand.width(entry.name or "", _LARGEST) > 225


def _has_wide_father(entry: Entry, hand: Hand) -> bool:
    return bool(entry.father) and hand.width(entry.father or "", _LARGEST) > 165


def _ends_short(entry: Entry, hand: Hand) -> bool:
    words = (entry.school_written or "").split()
    return len(words) > 1 and hand.width(words[-1], 9.0) <= 29


def _has_long_school(entry: Entry, hand: Hand) -> bool:
    return len((entry.school_written or "").split()) > 1


def _has_email(entry: Entry, hand: Hand) -> bool:
    return bool(entry.email)


def _has_email_alone(entry: Entry, hand: Hand) -> bool:
    return bool(entry.email) and not entry.phone


def _has_phone(entry: Entry, hand: Hand) -> bool:
    return bool(entry.phone)


def _always(entry: Entry, hand: Hand) -> bool:
    return True


#: By the hazard that a truth names.
WAYS: dict[str, Way] = {
    "name_over_label": Way("student_name", "name", 4, _has_wide_name, _name_over_label),
    "surname_below": Way("student_name", "name", 2, _always, _surname_below),
    "name_above_label": Way("student_name", "name", 1, _always, _name_above_label),
    "name_twice": Way("student_name", "name", 1, _always, _name_twice),
    "father_over_label": Way("father_figure_name", "father", 2, _has_wide_father, _father_over_label),
    "school_beside_box": Way("school_name", "school", 2, _ends_short, _school_beside_box),
    "school_over_label": Way("school_name", "school", 1.5, _has_long_school, _school_over_label),
    "email_two_lines": Way("email", "contact", 1.5, _has_email, _email_two_lines),
    "email_around_label": Way("email", "contact", 2.5, _has_email_alone, _email_around_label),
    "email_over_label": Way("email", "contact", 2.5, _has_email_alone, _email_over_label),
    "phone_below": Way("phone", "contact", 2, _has_phone, _phone_below),
}
#: Ways that would be written over each other although their fields are in different regions.
_CROWDED = {("surname_below", "father_over_label"), ("school_over_label", "father_over_label")}


def draw_second(rng: Random, first: str, entry: Entry, hand: Hand) -> list[str]:
    """Return another way that suits the entry and leaves the region of the first alone; mostly none."""
    others = {
        name: way.share
        for name, way in WAYS.items()
        if way.region != WAYS[first].region
        and not {(first, name), (name, first)} & _CROWDED
        and way.suits(entry, hand)
    }
    return rng.choices(list(others), list(others.values())) if others and rng.random() < _SECOND else []


def write_out_of_place(scene: Scene, truth: Truth, ways: Sequence[str]) -> None:
    """Write the fields of these ways, and note the ways as hazards of the truth."""
    values = {
        "student_name": scene.entry.name,
        "father_figure_name": scene.entry.father,
        "school_name": scene.entry.school_written,
        "email": scene.entry.email,
        "phone": scene.entry.phone,
    }
    for name in ways:
        way = WAYS[name]
        truth.put(way.field, values[way.field], scene.canvas, way.write(scene))
        truth.hazards.append(name)
        if way.field == "school_name":
            truth.accept_school(scene.entry)
