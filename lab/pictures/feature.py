"""What a row of the table of features says, and how its picture is come by."""

from __future__ import annotations

from dataclasses import dataclass

#: Who may be signed in, in the order of the table: keys of `services.accounts.person.Role`.
WHO = ("uploader", "officer", "reviewer", "auditor", "admin")


@dataclass(frozen=True)
class Feature:
    """One page, or pages that belong together."""

    #: Of the picture's file, without its ending.
    name: str
    title: str
    #: One sentence: what a person does there.
    does: str
    #: Keys of the roles that may; none for everybody, signed in or not.
    who: tuple[str, ...]
    #: Beginnings of the addresses that it stands for: `/admin/queue`.
    areas: tuple[str, ...]
    #: Where the picture begins, and the links that are followed from there, as CSS.
    path: str
    links: tuple[str, ...] = ()
    #: Who is signed in for the picture; None for nobody.
    role: str | None = "reviewer"
    #: What is scrolled to, as CSS.
    at: str = ""

    @property
    def picture(self) -> str:
        """The file of its picture in docs/images."""
        return f"{self.name}.webp"
