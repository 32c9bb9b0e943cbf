"""Invented schools with the ways people write them, and the list an office would import."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO
from random import Random

from scripts.samples.banks import listed

_PLACES = {
    "Elementary School": """
        Maple Hollow|Cedar Bend|Harbor View|Willow Creek Park|Foxglove|Prairie
        Lantern|Bluestem|Kettle Moraine |Thornfield|Copper Ridge|Larkspur|Old Orchard Lane|Silver
        Birch|Marigold|Pebble Brook|Windmill Road|Juniper Hill |Sandstone|Heron Pond|Amberly|Clover
        Field|Whispering Pines|Stonebridge North|Lantern Hill|Quail Run|Red Barn|Sycamore Bend
        |Brightwater|Fern Hollow|Hickory Gate|Goldfinch|Meadowlark|Tall Oaks|River Otter|Sunny Slope
    """,
    "Middle School": """
        Granite Falls|Eastmoor|Pinecrest Valley|Lakemont|Rosewood Heights|Falcon Ridge|North
        Prairie|Millrace |Westbrook Commons|Hawthorne Glen|Iron Bridge|Cobblestone
    """,
    "High School": """
        Ridgemont Valley|Cascade Plains|Port Linden|Kingfisher|Summit Prairie|Baxter Falls|Northgate
        Harbor|Elmhaven
    """,
    "Academy": """
        Bright Harbor|Cornerstone Bluff|Daybreak|New Horizons Bay|Starling|Blue Comet|Keystone
        Prairie|Open Door |Evergreen Charter|Lighthouse Point
    """,
    "Montessori School": "Little Acorn|Stepping Stone Lane|Sunflower House",
    "Catholic School": """
        St. Bernadine|St. Ansgar|Our Lady of the Prairie|St. Columba of the Lake|Holy Lantern
    """,
    "Magnet School": "Galileo Grove|Orchard Arts|Tesla Park|Harriet Lane",
    "Dual Language School": "Puente del Sol|Dos Ríos|Nueva Aurora",
    "Community School": "Fernbrook|Marquette Flats|Tamarack|Third Street|Pullman Grove",
    "Preparatory": "Ashford College|Bellwether|Sterling Oaks",
}
_CITIES = listed(
    """
        Fernbrook|Port Linden|Baxter Falls|Elmhaven|Cascade Plains|Marigold Heights|Tamarack|North
        Lakemont|Oldfield|Amberly
        """
)
_SHORT = {
    "Elementary School": ("Elementary", "Elem.", "Elem", "ES"),
    "Middle School": ("Middle", "M.S.", "Jr. High"),
    "High School": ("High", "H.S.", "HS"),
    "Montessori School": ("Montessori",),
    "Catholic School": ("School", ""),
    "Magnet School": ("Magnet", "School"),
    "Dual Language School": ("Dual Language", "School"),
    "Community School": ("School", "Community"),
    "Preparatory": ("Prep", "Prep."),
    "Academy": ("Acad.", ""),
}
#: Schools that pupils name but that stand on no list.
_UNLISTED = listed(
    """
        Hidden Meadow Elementary School|Gravel Pit Road School|Cranberry Academy|Home
        school|Tri-Valley Cooperative School|Sparrow Hill Elementary|Escuela Primaria Río
        Claro|Lindgren Middle School
        """
)


@dataclass(frozen=True)
class School:
    """
    A school: its full name, other ways to write it, where it stands.
    """

    name: str
    aliases: tuple[str, ...]
    city: str
    district: str
    listed: bool = True


def _listed() -> tuple[School, ...]:
    schools: list[School] = []
    for kind, places in _PLACES.items():
        for place in listed(places):
            number = len(schools)
            aliases = tuple(f"{place} {short}".strip() for short in _SHORT[kind])
            city = _CITIES[number * 7 % len(_CITIES)]
            schools.append(School(f"{place} {kind}", aliases, city, f"{city} District {30 + number % 11}"))
    return tuple(schools)


SCHOOLS: tuple[School, ...] = _listed()
UNLISTED: tuple[School, ...] = tuple(School(name, (), "", "", False) for name in _UNLISTED)


def draw_school(rng: Random, grade: str) -> tuple[School, str]:
    """
    A school and how the pupil writes it.
    """
    if rng.random() < 0.04:
        school = rng.choice(UNLISTED)
        return school, school.name
    school = rng.choice([school for school in SCHOOLS if _has_grade(school, grade)])
    written = school.name if rng.random() < 0.62 else rng.choice(school.aliases)
    roll = rng.random()
    if roll < 0.05:
        written = written.lower()
    elif roll < 0.09:
        written = written.upper()
    return school, written


def _has_grade(school: School, grade: str) -> bool:
    number = 0 if grade == "K" else int(grade)
    if "Elementary" in school.name:
        return number <= 6
    if "Middle" in school.name:
        return 5 <= number <= 8
    if "High School" in school.name:
        return number >= 9
    return number <= 8 or "Academy" in school.name or "Prep" in school.name


def accepted(school: School, written: str) -> list[str]:
    """
    Every way of writing the school that counts as right.
    """
    return list(dict.fromkeys((written, school.name, *school.aliases)))


def schools_csv() -> str:
    """
    The listed schools as the office would import them; aliases are separated by `;`.
    """
    out = StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("name", "aliases", "city", "district"))
    for school in SCHOOLS:
        rows.writerow((school.name, ";".join(school.aliases), school.city, school.district))
    return out.getvalue()
