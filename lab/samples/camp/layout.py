"""Where the registration form has its cells, tick boxes and printed texts, in points of a lying letter page."""

from __future__ import annotations

from dataclasses import dataclass

Rect = tuple[float, float, float, float]
PAGE = (792.0, 612.0)
#: Names of the three marks: what is written, what is ticked, what is written one digit a box.
WRITTEN, TICKED, COMB = "written", "ticked", "comb"


@dataclass(frozen=True)
class Option:
    """One tick box, its printed text, and the value that it stands for."""

    value: str
    text: str
    x: float
    y: float

    @property
    def mark(self) -> Rect:
        """The tick box."""
        return (self.x, self.y, self.x + 9, self.y + 9)


@dataclass(frozen=True)
class Cell:
    """One boxed question: a small English label at the top, its Spanish below, room for the answer below both."""

    name: str
    english: str
    spanish: str
    box: Rect
    way: str = WRITTEN
    options: tuple[Option, ...] = ()
    required: bool = True

    @property
    def answer(self) -> Rect:
        """The part of the cell below its labels."""
        x0, y0, x1, y1 = self.box
        return (x0 + 2, y0 + 17, x1 - 2, y1 - 1)


def _row(y0: float, y1: float, *cells: tuple[str, str, str, float, float, bool]) -> list[Cell]:
    return [Cell(name, en, es, (x0, y0, x1, y1), required=must) for name, en, es, x0, x1, must in cells]


def _ticks(name: str, english: str, spanish: str, box: Rect, *options: tuple[str, str, float, float]) -> Cell:
    drawn = tuple(Option(value, text, x, y) for value, text, x, y in options)
    return Cell(name, english, spanish, box, TICKED, drawn)


CELLS: tuple[Cell, ...] = (
    *_row(96, 138, ("student_name", "Camper's full name", "Nombre completo del campista", 36, 396, True)),
    Cell("birth_date", "Date of birth (MM/DD/YYYY)", "Fecha de nacimiento", (36, 138, 250, 182), COMB),
    *_row(
        138,
        182,
        ("age", "Age", "Edad", 250, 310, True),
        ("grade", "Grade in the fall", "Grado en otoño", 310, 396, True),
    ),
    *_row(
        182,
        224,
        ("address", "Home address", "Domicilio", 36, 270, False),
        ("city_or_location", "City", "Ciudad", 270, 396, True),
    ),
    _ticks(
        "shirt_size",
        "T-shirt size",
        "Talla de camiseta",
        (36, 224, 396, 258),
        ("Youth S", "Youth S", 42, 243),
        ("Youth M", "Youth M", 112, 243),
        ("Youth L", "Youth L", 182, 243),
        ("Adult S", "Adult S", 252, 243),
        ("Adult M", "Adult M", 322, 243),
    ),
    _ticks(
        "swim_level",
        "Swim level",
        "Nivel de natación",
        (36, 258, 396, 292),
        ("Cannot swim", "Cannot swim / No nada", 42, 277),
        ("Beginner", "Beginner / Principiante", 160, 277),
        ("Swims well", "Swims well / Nada bien", 284, 277),
    ),
    *_row(292, 372, ("allergies", "Allergies, medicine, diet", "Alergias, medicinas, dieta", 36, 396, False)),
    *_row(96, 138, ("guardian_name", "Parent or guardian", "Padre, madre o tutor", 412, 756, True)),
    *_row(
        138,
        182,
        ("phone", "Daytime telephone", "Teléfono de día", 412, 560, True),
        ("email", "E-mail address", "Correo electrónico", 560, 756, False),
    ),
    *_row(
        182,
        224,
        ("emergency_name", "Emergency contact", "Contacto de emergencia", 412, 606, True),
        ("emergency_phone", "Emergency telephone", "Teléfono de emergencia", 606, 756, True),
    ),
    _ticks(
        "session_week",
        "Session (one week only)",
        "Sesión (una sola semana)",
        (412, 224, 756, 292),
        ("Week 1", "Week 1: June 15 to 19", 420, 245),
        ("Week 2", "Week 2: June 22 to 26", 590, 245),
        ("Week 3", "Week 3: July 6 to 10", 420, 270),
        ("Week 4", "Week 4: July 13 to 17", 590, 270),
    ),
)
BY_NAME = {cell.name: cell for cell in CELLS}
REQUIRED = tuple(cell.name for cell in CELLS if cell.required)
#: The eight boxes of the date of birth: where each begins, their width, and from top to bottom.
COMB_LEFT = (44.0, 64.0, 94.0, 114.0, 144.0, 164.0, 184.0, 204.0)
COMB_WIDTH, COMB_TOP, COMB_BOTTOM = 20.0, 158.0, 179.0

TITLE = "Cedar Bend Summer Day Camp"
SUBTITLE = "Camper registration / Inscripción del campista"
DEADLINE = ("Return by May 15 to the camp office.", "Entregue a la oficina antes del 15 de mayo.")
SECTIONS = (
    (36.0, 91.0, "1  CAMPER / CAMPISTA"),
    (412.0, 91.0, "2  FAMILY AND SESSION / FAMILIA Y SESIÓN"),
    (412.0, 308.0, "3  CAMP RULES / REGLAS DEL CAMPAMENTO"),
)
RULES = (
    "Campers are dropped off between 8:15 and 8:45 in the morning and picked up before 4:30 in the afternoon.",
    "Send a packed lunch, a water bottle, sunscreen and a towel every day. Phones and games stay at home.",
    "Only the persons named on this sheet may pick a camper up, and they show a card with their photograph.",
    "Fees are returned until two weeks before the session begins. A week that is full has a waiting list.",
    "Los campistas llegan entre las 8:15 y las 8:45 y se recogen antes de las 4:30 de la tarde.",
    "Mande almuerzo, agua, protector solar y toalla todos los días. Los teléfonos se quedan en casa.",
    "Sólo las personas anotadas en esta hoja pueden recoger al campista, con identificación.",
)
SIGNATURE = ("Signature of parent or guardian / Firma del padre, madre o tutor", "Date / Fecha")
SIGNATURE_LINE = (412.0, 560.0, 640.0)
DATE_LINE = (660.0, 560.0, 756.0)
PICTURE_NOTE = (
    "The camp takes pictures for its newsletter. Cross this sentence out if you do not wish it.",
    "El campamento toma fotos para su boletín. Tache esta frase si no lo desea.",
)
