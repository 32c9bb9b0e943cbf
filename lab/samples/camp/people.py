"""Invented families of the camp: names that no other sample has, in two halves that share none."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from lab.samples.camp import layout
from lab.samples.words.banks import listed, words
from lab.samples.words.people import plain


@dataclass(frozen=True)
class Bank:
    """What the families of one half are drawn from."""

    children: list[str]
    adults: list[str]
    families: list[str]
    streets: list[str]
    cities: list[str]
    needs: list[str]
    mail_places: tuple[str, ...]


DEVELOPMENT = Bank(
    words(
        """Adelaide Alaric Anton Asher Bastian Beau Brooke Cleo Corbin Daphne Della Edwin Elodie Enzo Faye Gavin
        Hana Imani Jonah Kenji Lowell Maren Matteo Nina Oscar Petra Quinn Rafael Selene Theo Ulises Viola Wyatt
        Ximena Yolanda Zoe"""
    ),
    words(
        """Agnes Bernard Carmen Curtis Delia Donald Elena Ernest Fatima Gordon Helena Hector Irene Joel Katrina
        Leonard Marisol Nelson Olga Patrick Raquel Stuart Teresa Vincent Wanda Xavier Yvonne"""
    ),
    words(
        """Abbott Barrera Calloway Dunbar Escobar Fairbanks Guerrero Hathaway Ibarra Jennings Kowalski Lindgren
        Madrigal Novak Okafor Pemberton Quintero Rutledge Salinas Thornton Upchurch Villanueva Whitaker Yamada
        Zimmerman Arroyo Beckett Cortez"""
    ),
    words("Alder Birch Cherry Dogwood Elm Forest Grove Hickory Ivy Juniper Linden Maple"),
    listed("Larkspur|Port Denning|Millbrook|Ashgrove|Fort Lanier|Brookhaven|Rosedale|Cold Spring"),
    listed(
        "Peanuts, carries an inhaler|No allergies|Bee stings|Lactose, no milk please|Asthma in hot weather"
        "|Wheat and eggs|Takes a pill at noon|Vegetarian"
    ),
    ("example.org", "mail.example.org"),
)
HELD_OUT = Bank(
    words(
        """Alexia Archer Bianca Boaz Calliope Caspian Dario Delphine Eliana Emmett Fabian Gemma Hollis Isadora
        Jasper Kiara Lionel Magnus Nadine Octavia Porter Rowan Sabrina Soren Tobias Trinity Valentin Wesley
        Yasmin Zander Amaya Cedric Elsa Marlon"""
    ),
    words(
        """Albert Beverly Claudia Dwight Estela Felix Gloria Harold Ingrid Jerome Lorena Mitchell Norma Orlando
        Pauline Ralph Sylvia Terrence Ursula Walter Alicia Dennis Ramiro"""
    ),
    words(
        """Aldridge Bautista Carmichael Delgado Everhart Fuentes Gallagher Holloway Iverson Jaramillo Kendrick
        Lombardi Montoya Nguyen Orozco Pruitt Rosales Sheffield Tanaka Underwood Vasquez Winslow Zapata Bishop
        Cardenas Donovan"""
    ),
    words("Aspen Bluebell Canyon Driftwood Evergreen Falcon Garden Harbor Island Jasmine Lakeview Meadow"),
    listed("Harlan Falls|Westbury|Silver Lake|Stonebridge|Point Mercer|Oakmont|Glenwood|Cedar Bluff"),
    listed(
        "Tree nuts, has an EpiPen|None|Allergic to penicillin|No pork or shellfish|Hay fever in June"
        "|Diabetic, checks at lunch|Strawberries|Ear drops after swimming"
    ),
    ("example.org", "example.net"),
)


@dataclass(frozen=True)
class Camper:
    """What a family answers, by the name of the cell; None where it leaves the cell empty."""

    answers: dict[str, str | None]
    #: The eight digits of the date of birth, month first.
    digits: str

    @property
    def given(self) -> dict[str, str]:
        """The answers that are there."""
        return {name: value for name, value in self.answers.items() if value}


def draw_camper(rng: Random, bank: Bank) -> Camper:
    """One family's answers."""
    family = rng.choice(bank.families)
    year, month, day = rng.randint(2012, 2019), rng.randint(1, 12), rng.randint(1, 28)
    guardian = f"{rng.choice(bank.adults)} {family if rng.random() < 0.8 else rng.choice(bank.families)}"
    answers: dict[str, str | None] = {
        "student_name": f"{rng.choice(bank.children)} {family}",
        "birth_date": f"{month:02d}/{day:02d}/{year}",
        "age": str(2026 - year - ((month, day) > (6, 15))),
        "grade": str(max(1, 2026 - year - 5)),
        "address": f"{rng.randint(10, 9899)} {rng.choice(bank.streets)} {rng.choice(('St', 'Ave', 'Lane', 'Rd'))}",
        "city_or_location": rng.choice(bank.cities),
        "allergies": rng.choice(bank.needs) if rng.random() < 0.75 else None,
        "guardian_name": guardian,
        "phone": _phone(rng),
        "email": _address(rng, guardian, bank) if rng.random() < 0.85 else None,
        "emergency_name": f"{rng.choice(bank.adults)} {rng.choice(bank.families)}",
        "emergency_phone": _phone(rng),
    }
    for cell in layout.CELLS:
        if cell.way == layout.TICKED:
            answers[cell.name] = rng.choice(cell.options).value
    return Camper(answers, f"{month:02d}{day:02d}{year}")


def _phone(rng: Random) -> str:
    area, last = rng.choice(("402", "503", "614", "727", "850", "919")), f"01{rng.randrange(100):02d}"
    return rng.choice((f"({area}) 555-{last}", f"{area}-555-{last}", f"{area} 555 {last}"))


def _address(rng: Random, guardian: str, bank: Bank) -> str:
    first, last = plain(guardian).lower().split()
    local = rng.choice((f"{first}.{last}", f"{first[0]}{last}", f"{last}{rng.randint(2, 99)}"))
    return f"{local}@{rng.choice(bank.mail_places)}"
