"""Invented people: names, reserved phone numbers, example.org addresses."""

from __future__ import annotations

import unicodedata
from random import Random

from scripts.samples.banks import words

_FIRST_ENGLISH = words(
    """
    Abigail Addison Aiden Aaliyah Amara Amelia Andre Anthony Aria Asher Aubrey Audrey Austin Ava Bella
    Benjamin Blake Brianna Brooklyn Caleb Cameron Carter Charlotte Chloe Christopher Claire Cole Connor
    Daisy Darius Delilah Deshawn Dominic Dylan Eleanor Eli Ella Elijah Emma Ethan Evelyn Ezra Faith Finn
    Gabrielle Gavin Grace Grayson Hannah Harper Hazel Henry Hudson Imani Isaac Isla Ivy Jackson Jada
    Jasmine Jayden Jeremiah Jonah Jordan Josephine Julian Kayla Kennedy Kiara Landon Layla Leah Levi
    Liam Lily Logan Lucy Luke Malik Mason Maya Miles Naomi Nathan Nia Noah Nolan Nora Olive Oliver Owen
    Parker Penelope Piper Quinn Reese Riley Rowan Ruby Ryan Sadie Samuel Savannah Sawyer Simone Skylar
    Stella Tessa Theo Trinity Tyler Violet Wesley Willa Wyatt Xavier Zachary Zoe Zuri Anika Arjun Mei
    Hana Omar Fatima Kenji Priya Linh Tomasz
    """
)

_FIRST_SPANISH = words(
    """
    Adriana Alejandro Alondra Andrés Ángel Araceli Ariana Beatriz Belén Camila Carlos Carmen César
    Citlali Cristina Damián Daniela Diego Dulce Eduardo Elena Emiliano Esteban Esperanza Fernanda
    Francisco Gael Graciela Guadalupe Gustavo Héctor Inés Isabela Iván Ximena Jazmín Jimena Joaquín
    Jorge José Josué Juliana Karla Leonardo Leticia Lorena Lucía Luis Luz Marisol Mateo Matías Maricela
    Miguel Mónica Natalia Nicolás Noemí Octavio Pablo Paloma Paola Ramón Raúl Renata Ricardo Rocío
    Rodrigo Rosario Salvador Santiago Sebastián Selena Sofía Teresa Tomás Valentina Verónica Yadira
    Yesenia
    """
)

_LAST_ENGLISH = words(
    """
    Abbott Ackerman Adler Alston Archer Atwood Baldwin Bancroft Barlow Beckett Bellamy Benton Blackwell
    Bramwell Brewster Briggs Caldwell Carmichael Chandler Colby Cornwall Crawford Dalton Dawson Delaney
    Donahue Draper Eastman Ellison Fairchild Farley Fenwick Fletcher Foster Gallagher Garrison Gibbs
    Goodwin Grantham Hadley Halloway Harlan Hartwell Hathaway Hollis Huxley Ingram Jennings Kendrick
    Kessler Kirkland Lambert Langley Lindqvist Lockhart Loxley Maddox Marlowe Mayfield McAllister
    McBride Mercer Merritt Nakamura Norwood Novak Nguyen O'Brien O'Connell Oakley Okafor Osborne Palmer
    Patel Pemberton Prescott Quimby Radcliffe Ramsey Redmond Ridley Rowland Rutherford Sheffield
    Sinclair Stanton Sterling Sutton Tanaka Thatcher Tillman Underhill Vance Wakefield Walcott Warner
    Wexler Whitaker Winslow Woodard Wyndham Yates Zielinski Adeyemi Kowalski
    """
)

_LAST_SPANISH = words(
    """
    Acosta Aguilar Alarcón Alvarado Arellano Ávila Barragán Becerra Benítez Bravo Bustamante Cabrera
    Calderón Camacho Cárdenas Carrillo Castañeda Cervantes Chávez Contreras Cordero Delgado Domínguez
    Duarte Echeverría Elizondo Escobar Espinoza Estrada Figueroa Fuentes Gallegos Galván Guerrero
    Hinojosa Ibarra Jaramillo Juárez Lozano Luján Macías Maldonado Mendoza Mireles Montoya Muñoz Navarro
    Núñez Ocampo Olivares Orozco Padilla Peña Pacheco Quintana Quiñones Rangel Rentería Ríos Rosales
    Salazar Saldaña Sandoval Solís Tejeda Treviño Urbina Valdez Valenzuela Velázquez Villaseñor Zamora
    Zúñiga Zavala
    """
)

_FATHERS_ENGLISH = words(
    """
    Aaron Albert Alan Barry Bernard Brian Calvin Charles Clarence Curtis Daniel David Dennis Derrick
    Edward Eric Ernest Eugene Frank George Gerald Gregory Harold Howard James Jason Jerome Joel Keith
    Kevin Lamar Leonard Marcus Marvin Michael Nathaniel Patrick Paul Peter Philip Raymond Robert Roger
    Russell Scott Stanley Stephen Terrence Thomas Vincent Walter William
    """
)

_FATHERS_SPANISH = words(
    """
    Abelardo Agustín Alfonso Alfredo Armando Arturo Benito Cristóbal Efraín Enrique Ernesto Eusebio
    Federico Felipe Fidel Gerardo Gilberto Gregorio Guillermo Hernán Hugo Ignacio Ismael Javier Juan
    Julio Lázaro Leopoldo Manuel Marcelino Mauricio Néstor Orlando Pedro Rafael Roberto Rogelio Rubén
    Samuel Sergio Simón Víctor Vicente
    """
)

_MAIL_PLACES = ("example.org", "mail.example.org", "family.example.org", "school.example.org", "home.example.org")


def draw_name(rng: Random, spanish: bool) -> tuple[list[str], list[str]]:
    """A pupil's given names and family names."""
    firsts, lasts = _lists(rng, spanish)
    given = [rng.choice(firsts)]
    if rng.random() < 0.12:
        given.append(rng.choice([name for name in firsts if name != given[0]]))
    family = [rng.choice(lasts)]
    if spanish and rng.random() < 0.4:
        family.append(rng.choice([name for name in _LAST_SPANISH if name != family[0]]))
    elif rng.random() < 0.06:
        family = [f"{family[0]}-{rng.choice(lasts)}"]
    if len(given) == 1 and not spanish and rng.random() < 0.08:
        given.append(rng.choice("ABCDEFGHJKLMNPRST") + ".")
    return given, family


def draw_father(rng: Random, spanish: bool, family: list[str]) -> str:
    """The father figure's name, mostly of the same family."""
    _, lasts = _lists(rng, spanish)
    firsts = _FATHERS_SPANISH if spanish or lasts is _LAST_SPANISH else _FATHERS_ENGLISH
    last = family[0] if rng.random() < 0.75 else rng.choice(lasts)
    title = rng.choice(("Mr. ", "Sr. ")) if rng.random() < 0.04 else ""
    return f"{title}{rng.choice(firsts)} {last}"


def draw_phone(rng: Random) -> str:
    """A number from the reserved 555-01xx range in one of the ways people write numbers."""
    area, last = (
        rng.choice(("312", "630", "708", "773", "815", "847", "217", "309")),
        f"01{rng.randrange(100):02d}",
    )
    style = rng.choice(
        (
            "({a}) 555-{n}",
            "{a}-555-{n}",
            "{a}.555.{n}",
            "{a} 555 {n}",
            "{a}555{n}",
            "({a})555-{n}",
            "1-{a}-555-{n}",
        )
    )
    return style.format(a=area, n=last)


def draw_email(rng: Random, father: str) -> str:
    """An address at example.org made from the father figure's name."""
    words = [plain(word).lower() for word in father.replace(".", "").split() if word not in ("Mr.", "Sr.")]
    first, last = words[-2], words[-1]
    local = rng.choice(
        (f"{first}.{last}", f"{first[0]}{last}", f"{first}_{last}", f"{last}{first[0]}", f"{first}{last}")
    )
    digits = str(rng.randrange(1, 99)) if rng.random() < 0.4 else ""
    return f"{local.replace(chr(39), '')}{digits}@{rng.choice(_MAIL_PLACES)}"


def plain(text: str) -> str:
    """The text without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _lists(rng: Random, spanish: bool) -> tuple[list[str], list[str]]:
    if spanish:
        return _FIRST_SPANISH, _LAST_SPANISH
    if rng.random() < 0.25:
        return _FIRST_SPANISH + _FIRST_ENGLISH, _LAST_SPANISH
    return _FIRST_ENGLISH, _LAST_ENGLISH
