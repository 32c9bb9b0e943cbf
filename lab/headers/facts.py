"""What one pupil's page tells, and how each slot of a template is filled with it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from lab.headers import dates, grades, small
from lab.headers.flow import Flow, one
from lab.headers.people import Person, draw_person
from lab.headers.words import schools as named
from lab.headers.words.names_spanish import NICKNAMES_ENGLISH
from lab.samples.words.banks import words
from pipeline.extraction.labelling.labeller import Role

#: Slot -> field of the header that it tells; a slot that is not here tells none.
FIELD = {
    "name": "name", "given": "name", "school": "school", "grade": "grade", "number": "grade", "ordinal": "grade",
    "gradenoun": "grade", "grader": "grade", "graders": "grade", "room": "room", "roomid": "room",
    "teacher": "teacher", "date": "date", "title": "title",
}  # fmt: skip
_COUNTED = words("two three four five six seven eight nine ten 2 3 4 6 7 12")
_COUNTED_SPANISH = words("dos tres cuatro cinco seis siete ocho nueve diez 3 4 6 8")


@dataclass(frozen=True)
class Facts:
    """One pupil and the words for what the page says of the pupil."""

    rng: Random
    #: The language of the header, which need not be that of the essay.
    spanish: bool
    child: Person
    name: str
    school: str
    grade: int
    room: str
    teacher: str
    date: str
    title: str
    father: Person

    def slot(self, slot: str) -> Flow:
        """The pieces that fill a slot of a header's template."""
        field = FIELD.get(slot)
        if field == "grade":
            return self._grade(slot)
        if slot == "room":
            return one(small.draw_room(self.rng, self.room, self.spanish), Role.ROOM)
        if field is not None:
            text = {"given": self.child.given[0], "roomid": self.room}.get(slot) or getattr(self, slot)
            return one(text, Role(field))
        if slot in ("mail", "phone"):
            text = dates.draw_phone(self.rng) if slot == "phone" else dates.draw_mail(self.rng, self.child.full)
            return one(text, Role.CONTACT)
        if slot in _PEOPLE:
            return one(self._person(slot), Role.PERSON)
        return one(self.loose(slot), Role.OTHER)

    def body_slot(self, slot: str) -> Flow:
        """The pieces that fill a slot in the essay's text, where a date or a school of old is but text."""
        if slot in FIELD and slot != "date":
            return self.slot(slot)
        if slot in _PEOPLE:
            return one(self._person(slot), Role.PERSON)
        return one(self.date if slot == "date" else self.loose(slot), Role.BODY)

    def loose(self, slot: str) -> str:
        """The text of a slot that tells nothing of the pupil."""
        rng = self.rng
        other = min(12, max(0, self.grade + rng.choice((-3, -2, -1, 1, 2, 3))))
        if slot == "oldschool":
            pick = (named.PEOPLE_SHORT, named.TOWN, named.PEOPLE_FULL, named.SPANISH_PLACES)
            return rng.choice(rng.choice(pick))
        if slot == "oldgrade":
            return grades.draw_grade_noun(rng, other, self.spanish)
        if slot in ("sibgrade", "sibnumber", "sibgradenoun"):
            if slot == "sibnumber":
                return str(other or "K")
            return (grades.draw_ordinal if slot == "sibgrade" else grades.draw_grade_noun)(
                rng, other, self.spanish
            )
        simple = {
            "num": rng.choice(_COUNTED_SPANISH if self.spanish else _COUNTED),
            "day": rng.choice(dates.DAYS) + rng.choice(("s", "")),
            "digit": str(rng.randint(1, 8)),
            "nthp": grades.ordinal(rng.randint(1, 8)),
            "age": str(max(5, self.grade + rng.choice((5, 6, 6)))),
            "count": str(rng.randint(100, 640)),
            "classof": str(rng.randint(2025, 2037)),
            "year": rng.choice(("2023", "2024", "2025", "2026")),
            "town": rng.choice(named.TOWN),
            "nick": rng.choice(NICKNAMES_ENGLISH),
            "lastname": self.child.family[0],
            "sec": rng.choice("ABCDABEF"),
            "date_other": dates.draw_date(rng, self.spanish),
        }
        return simple[slot]

    def _grade(self, slot: str) -> Flow:
        rng, grade = self.rng, self.grade
        if slot == "grade":
            return grades.draw_bare(rng, grade, self.spanish)
        if slot == "number":
            text = str(grade or "K")
        elif slot == "ordinal":
            text = grades.draw_ordinal(rng, grade, self.spanish)
        elif slot == "gradenoun":
            text = grades.draw_grade_noun(rng, grade, self.spanish)
        else:
            text = grades.draw_grader(rng, grade) + ("s" if slot == "graders" else "")
        return one(text, Role.GRADE)

    def _person(self, slot: str) -> str:
        rng, father = self.rng, self.father
        if slot == "father":
            return father.full
        if slot == "dad":
            return father.given[0]
        if slot == "sib":
            return draw_person(rng, self.spanish).given[0]
        if slot == "oldteacher":
            return small.draw_teacher(rng, self.spanish)
        person = draw_person(rng, self.spanish)
        return rng.choice((person.full, person.given[0], f"{person.given[0]} {person.family[0]}"))


_PEOPLE = ("father", "dad", "sib", "oldteacher", "person")
