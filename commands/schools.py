"""`flask schools …`: manage the school list against which names on entries are checked."""

from __future__ import annotations

from pathlib import Path

import click

from commands.opened import opened_context
from core.config import get_settings
from services.schools.add_alias import add_alias
from services.schools.add_school import add_school
from services.schools.import_schools import import_schools
from services.schools.list_schools import ListedSchool, list_schools
from services.schools.merge_schools import merge_schools
from services.schools.school_file import school_text


@click.group("schools")
def schools() -> None:
    """Import, list, add to and merge the schools of the current season."""


@schools.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def import_file(file: Path) -> None:
    """Add the schools of a CSV file with the columns name, aliases (separated by ";"), city, district, email."""
    with opened_context(get_settings()) as context:
        done = import_schools(context, school_text(file.read_bytes()))
    click.echo(f"{done.added} schools added, {done.known} already on the list, {done.aliases} aliases added.")


@schools.command("list")
def list_all() -> None:
    """List the schools with their aliases."""
    with opened_context(get_settings()) as context:
        found = list_schools(context)
    for school in found:
        click.echo(_line(school))
    click.echo(f"{len(found)} schools, {sum(len(school.aliases) for school in found)} aliases.")


@schools.command("add")
@click.argument("name")
@click.option("--city", default=None, help="Where it is.")
@click.option("--district", default=None, help="The district it belongs to.")
def add(name: str, city: str | None, district: str | None) -> None:
    """Add one school."""
    with opened_context(get_settings()) as context:
        kept = add_school(context, name, city, district)
    click.echo(f"{kept}: added.")


@schools.command("alias")
@click.argument("school")
@click.argument("alias")
def alias(school: str, alias: str) -> None:
    """Add another spelling to a school."""
    with opened_context(get_settings()) as context:
        name = add_alias(context, school, alias)
    click.echo(f"{name}: also written “{alias}”.")


@schools.command("merge")
@click.argument("duplicate", metavar="FROM")
@click.argument("into", metavar="INTO")
def merge(duplicate: str, into: str) -> None:
    """Make FROM and its spellings other spellings of INTO, and remove FROM from the list."""
    with opened_context(get_settings()) as context:
        done = merge_schools(context, duplicate, into)
    click.echo(f"{done.merged}: merged into {done.into}, {done.aliases} aliases added.")


def _line(school: ListedSchool) -> str:
    where = ", ".join(part for part in (school.city, school.district) if part)
    also = "; ".join(school.aliases)
    return school.name + (f" ({where})" if where else "") + (f"  [{also}]" if also else "")
