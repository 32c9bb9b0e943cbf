"""The form profiles in use by this process: those of the files and those that `use_profiles` was given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count

from pipeline.profiles.files import built_in_profiles
from pipeline.profiles.form import Profile, ProfileKind
from pipeline.profiles.generation import FILES_ALONE, begin_generation, begin_own, by_generation, generation

#: By generation, the profiles that are matched and the former ones.
_given: dict[str, tuple[tuple[Profile, ...], tuple[Profile, ...]]] = {FILES_ALONE: ((), ())}

#: Numbers that tell trials apart within the process.
_trials = count()


def use_profiles(profiles: Iterable[Profile], name: str, former: Iterable[Profile] = ()) -> None:
    """Use these profiles beside those of the files from now on; every cache that depends on profiles is emptied.

    `name` is the generation; where it is the one in use already, nothing changes. `former` are profiles that no
    page is matched with any more (earlier versions, retired forms): entries that were read with them are still
    shown with their fields and labels. No profile has the key of a file's; the newest version of a key comes
    first.
    """
    before = generation()
    if name == before:
        return
    _given[name] = tuple(profiles), tuple(former)
    begin_generation(name)
    if before != FILES_ALONE:
        _given.pop(before, None)


@contextmanager
def trying(profile: Profile) -> Iterator[None]:
    """Use one more profile, in place of that of the same key, in this thread of work alone: to try a draft."""
    active, former = _now()
    name = f"{generation()}+{next(_trials)}"
    _given[name] = (profile, *(one for one in active if one.key != profile.key)), former
    end = begin_own(name)
    try:
        yield
    finally:
        end()
        _given.pop(name, None)


def _now() -> tuple[tuple[Profile, ...], tuple[Profile, ...]]:
    # Another thread may have begun a generation since this one asked for its name.
    return _given.get(generation()) or _given.get(generation()) or ((), ())


@by_generation
def all_profiles() -> dict[str, Profile]:
    """The profiles that pages are matched with, by key: those of the database, then those of the files."""
    return {**{one.key: one.on_letter() for one in _now()[0]}, **built_in_profiles()}


def form_profiles() -> list[Profile]:
    """The profiles of forms and essay pages, without the freeform one."""
    return [p for p in all_profiles().values() if p.kind is not ProfileKind.FREEFORM]


@by_generation
def known_forms() -> dict[str, Profile]:
    """The profiles by key that entries may have been read with: those in use, then forms that are retired."""
    forms = dict(all_profiles())
    for one in own_profiles():
        forms.setdefault(one.key, one)
    return forms


@by_generation
def freeform_profile() -> Profile:
    """The profile of essays without a form."""
    return next(p for p in all_profiles().values() if p.kind is ProfileKind.FREEFORM)


def known_profile(key: str | None, version: int | None = None) -> Profile | None:
    """Return the profile that an entry was read with; None where this process knows none.

    A version that is not known, or None, means the newest of that key.
    """
    return _by_version().get((key, version)) or _by_version().get((key, None)) if key else None


@by_generation
def _by_version() -> dict[tuple[str, int | None], Profile]:
    found: dict[tuple[str, int | None], Profile] = {}
    for one in (*all_profiles().values(), *own_profiles()):
        found.setdefault((one.key, one.version), one)
        found.setdefault((one.key, None), one)
    return found


def own_profiles() -> Iterator[Profile]:
    """Yield every profile that is not of a file: those in use, then former ones, newest first."""
    active, former = _now()
    yield from active
    yield from former
