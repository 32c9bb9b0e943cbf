"""Pages that show a wall instead of a text."""

import pytest

from research.sources.base import NoTextError
from research.sources.pages import has_enough_text, text_from


@pytest.mark.parametrize(
    "page",
    [
        [],
        ["Please enable JavaScript to view this page."],
        ["JavaScript is disabled in your browser.", "Home", "News", "Contact"],
        ["We use cookies to give you the best experience on this site.", "Accept all cookies", "Settings"],
        ["Log in to continue reading this article.", "E-mail", "Password", "Forgot password?"],
        ["Sign in", "Register", "E-mail", "Password"],
        ["Subscribe to continue reading. Only 1 dollar a week."],
        ["Create a free account to read the rest of this article today."],
        ["Just a moment...", "Checking your browser before accessing the site."],
        ["Please verify that you are a human by completing the action below."],
        ["The page you are looking for could not be found on this server."],
        ["Access denied. You do not have permission to view this directory."],
        ["Habilite JavaScript en su navegador para ver esta página."],
        ["JavaScript está desactivado en este navegador."],
        ["Utilizamos cookies propias y de terceros para mejorar nuestros servicios.", "Aceptar todas las cookies"],
        ["Inicie sesión para continuar leyendo este artículo completo."],
        ["Suscríbase para seguir leyendo todas las noticias de hoy."],
        ["Verifique que no es un robot antes de entrar en el sitio."],
        ["La página que busca no se ha encontrado en este servidor."],
        ["Loading…"],
        ["Home", "About", "Programmes", "Contact", "Donate"],
    ],
)
def test_a_wall_says_nothing(page: list[str]) -> None:
    assert not has_enough_text(page)


@pytest.mark.parametrize(
    "page",
    [
        ["Fathers came to 412 evenings."],
        ["Los padres asistieron a 38 tardes de lectura."],
        ["Fathers sign in at the front desk and read for half an hour with their child."],
        ["We use cookies.", "The cookies that fathers bake with their children were sold for 300 dollars."],
        ["Programme | Cost | Fathers", "Cedar | 14 | 412", "Harbor | 20 | 38", *["Falls | 9 | 90"] * 6],
        ["x" * 401 + " enable JavaScript in your browser is what the course for fathers begins with."],
    ],
)
def test_a_text_says_something(page: list[str]) -> None:
    assert has_enough_text(page)


@pytest.mark.parametrize(
    "title",
    [
        "404",
        "Page not found | Cedar Falls",
        "Sign in - Library",
        "Log in",
        "Access Denied",
        "Just a moment...",
        "Página no encontrada",
        "Iniciar sesión | Biblioteca",
        "Acceso denegado",
    ],
)
def test_a_page_that_calls_itself_a_wall(title: str) -> None:
    with pytest.raises(NoTextError):
        text_from([("Try our search, or go back to the page that you came from.", None)], url=None, title=title)
    assert text_from([("Fathers came to 412 evenings. " * 40, None)], url=None, title=title).text


@pytest.mark.parametrize("title", ["Reading evenings", "Subscribers of hope", "Padres que acceden al aula", ""])
def test_a_page_that_is_called_after_its_text(title: str) -> None:
    assert text_from([("Fathers came to 412 evenings.", None)], url=None, title=title).text
