from __future__ import annotations

from research.supervision.subject import on_subject

DOCUMENT = "Foster children settle when carers say what comes next; visits of parents unsettle foster children."
NEAR = "Carers of foster children report that visits unsettle them, and that they settle within weeks."
FAR = "Ropes of hemp hold knots better than ropes of nylon, which slip when they are wet."
SHARED = "Children bake bread in village ovens on two mornings a week, and carry their loaves home."


def test_what_is_half_as_near_as_what_is_cited() -> None:
    cited = ["Foster children sleep badly after visits.", "Carers of foster children need training."]
    assert on_subject(DOCUMENT, "en", cited, {"near": NEAR, "far": FAR, "shared": SHARED}) == {"near"}


def test_without_citations_the_nearest_is_the_measure() -> None:
    assert on_subject(DOCUMENT, "en", [], {"near": NEAR, "far": FAR, "shared": SHARED}) == {"near"}


def test_nothing_was_found() -> None:
    assert on_subject(DOCUMENT, "en", [NEAR], {}) == set()
