"""`flask library …`: manage the documents of the library."""

from __future__ import annotations

import stat
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import click
from sqlalchemy import func, select
from tqdm import tqdm

from commands.opened import opened_context
from core.config import ROOT, get_settings
from core.errors import AppError
from core.folders import below, open_file, opened, read_at_most
from core.messages import Message, say
from core.models import LibraryDocument, LibraryKind, LibraryStatus
from core.plain_data import escaped
from services.context import Context
from services.doctor.health import living_workers
from services.library.documents import GivenMetadata, add_document, remove_document
from services.library.essays.add_essays import add_essays
from services.library.reading import read_library_document
from services.recovery.research_kinds import DOCUMENTS
from services.recovery.work import fail_work
from services.uploads.submit import IncomingFile

SAMPLES = ROOT / "samples" / "library"
_SUFFIXES = {".pdf", ".docx", ".md", ".markdown", ".html", ".htm", ".xhtml", ".txt"}
_KINDS = click.Choice([kind.value for kind in LibraryKind])
_OPEN = (LibraryStatus.QUEUED.value, LibraryStatus.READING.value)
_LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class ListedFile:
    """A file that was named, or one in a named folder."""

    named: Path
    #: Its path below the named folder; empty for a file that was named itself.
    below: Path = Path()

    @property
    def path(self) -> Path:
        """The path to show in messages."""
        return self.named / self.below

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.path.name

    def read_bytes(self, most: int) -> bytes:
        """Return its bytes.

        Raises FileTooLargeError, and OSError if it is not a regular file or has been replaced by a link.
        """
        named = self.named.resolve()
        *folders, name = self.below.parts or [str(named)]
        with ExitStack() as held:
            folder = held.enter_context(opened(named)) if self.below.parts else None
            for part in folders:
                folder = held.enter_context(below(part, cast(int, folder)))
            return read_at_most(held.enter_context(open_file(folder, name)), most)


@click.group("library")
def library() -> None:
    """Add, list and remove documents of the library."""


@library.command("add")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--kind", type=_KINDS, required=True, help="Which researcher uses them.")
@click.option("--collection", default="", help="The collection they belong to.")
@click.option(
    "--publisher", default=None, help="Publisher of all of them. Default: the publisher named in each document."
)
@click.option("--wait", is_flag=True, help="Wait until all are read; read them here if no worker is running.")
def add(paths: Sequence[Path], kind: str, collection: str, publisher: str | None, wait: bool) -> None:
    """Add files, and all PDF, Word, Markdown, HTML, and text files in folders and their subfolders.

    Links in folders are left out, and named.
    """
    files = [file for path in paths for file in documents_below(path)]
    if not files:
        raise click.ClickException("no PDF, Word, Markdown, HTML or text file was found there")
    shelf = GivenMetadata(LibraryKind(kind), collection, publisher)
    with opened_context(get_settings()) as context:
        _add_all(context, [(file, shelf) for file in files], wait)


@library.command("add-samples")
@click.option("--wait", is_flag=True, help="Wait until all are read; read them here if no worker is running.")
def add_samples(wait: bool) -> None:
    """Add the invented documents that come with the product; they are marked as samples."""
    with opened_context(get_settings()) as context:
        _add_all(context, sample_files(), wait)


@library.command("add-essays")
def add_essays_of_season() -> None:
    """Add the season's approved essays, without names; later changes to the entries carry over."""
    with opened_context(get_settings()) as context:
        done = add_essays(context)
    click.echo(f"{done.written} essays added, {done.removed} removed, {done.waiting} waiting for a person.")


@library.command("list")
@click.option("--kind", type=_KINDS, default=None, help="Only documents of this kind.")
def list_all(kind: str | None) -> None:
    """List the documents."""
    with opened_context(get_settings()) as context, context.database.session() as session:
        query = select(LibraryDocument).where(LibraryDocument.status != LibraryStatus.REMOVED.value)
        if kind:
            query = query.where(LibraryDocument.kind == kind)
        for row in session.scalars(query.order_by(LibraryDocument.created_at, LibraryDocument.id)):
            name = row.title or row.original_filename
            click.echo(f"{row.id}  {row.kind:<8}  {row.status:<7}  {row.language}  {name}")


@library.command("remove")
@click.argument("document_ids", nargs=-1, required=True, type=click.UUID)
def remove(document_ids: Sequence[uuid.UUID]) -> None:
    """Remove documents from the library; reports that quote them keep their quotations."""
    with opened_context(get_settings()) as context:
        for document_id in document_ids:
            remove_document(context, document_id)
    click.echo(f"{len(document_ids)} removed.")


def sample_files() -> list[tuple[ListedFile, GivenMetadata]]:
    """Return each sample with its metadata; the folders are named after the kinds."""
    return [
        (file, GivenMetadata(kind, collection="Samples", is_sample=True))
        for kind in LibraryKind
        if (SAMPLES / kind.value).is_dir()
        for file in documents_below(SAMPLES / kind.value)
    ]


def documents_below(named: Path, below: Path = Path()) -> Iterator[ListedFile]:
    """Yield the file itself, or the documents in a folder, sorted by name and without hidden ones.

    Links, and other things with a document's name, are reported and skipped: through a link, whoever can write to
    the folder could add any file that this account can read.
    """
    if not (named / below).is_dir():
        yield ListedFile(named)
        return
    for child in sorted((named / below).iterdir()):
        if child.name.startswith("."):
            continue
        mode = child.lstat().st_mode
        if stat.S_ISDIR(mode):
            yield from documents_below(named, below / child.name)
        elif stat.S_ISLNK(mode):
            click.echo(f"{escaped(str(child))}: left out, it is a link", err=True)
        elif child.suffix.lower() in _SUFFIXES and stat.S_ISREG(mode):
            yield ListedFile(named, below / child.name)


def _add_all(context: Context, files: Sequence[tuple[ListedFile, GivenMetadata]], wait: bool) -> None:
    here = wait and living_workers(context) == 0
    most = context.settings.max_upload_bytes
    added: list[uuid.UUID] = []
    for file, shelf in tqdm(files, desc="Adding", unit="file", disable=None):
        try:
            incoming = IncomingFile(file.name, file.read_bytes(most))
            one = add_document(context, None, incoming, shelf, queue=not here)
        except (AppError, OSError) as error:
            why = error.help_message if isinstance(error, AppError) else error.strerror or error
            click.echo(f"{escaped(str(file.path))}: {why}", err=True)
            continue
        if one.is_new:
            added.append(one.document_id)
        if here and one.is_new:
            _read_here(context, one.document_id)
    click.echo(f"{len(added)} of {len(files)} files are new.")
    if wait:
        _follow(context, added)
        _tell_failures(context, added)


def _read_here(context: Context, document_id: uuid.UUID) -> None:
    try:
        read_library_document(context, document_id)
    except AppError as error:
        fail_work(context, DOCUMENTS, document_id, error)


def _follow(context: Context, added: Sequence[uuid.UUID]) -> None:
    done = 0
    with tqdm(total=len(added), desc="Reading", unit="file", disable=None) as shown:
        while done < len(added):
            with context.database.session() as session:
                query = select(func.count()).where(
                    LibraryDocument.id.in_(added), LibraryDocument.status.in_(_OPEN)
                )
                before, done = done, len(added) - (session.scalar(query) or 0)
            shown.update(done - before)
            if done < len(added):
                time.sleep(_LOOK_SECONDS)


def _tell_failures(context: Context, added: Sequence[uuid.UUID]) -> None:
    with context.database.session() as session:
        for row in session.scalars(
            select(LibraryDocument).where(
                LibraryDocument.id.in_(added), LibraryDocument.status == LibraryStatus.FAILED.value
            )
        ):
            click.echo(
                f"{row.original_filename}: {say(Message(row.error_code or '', row.error_params))}", err=True
            )
