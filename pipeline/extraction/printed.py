"""The printed text of a form among the words of a page, and the contest's own rules and notes.

Each text is searched in each line without spaces, so that a match is a span of characters. What remains of a line
after all spans are removed was written by the entrant.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

import numpy as np
from rapidfuzz import fuzz, process

from pipeline.extraction.tokens import Line, Token, box_of, token_text
from pipeline.extraction.values.text import letters_of, plain_text, squeezed
from pipeline.pages.page_model import Box, Recent
from pipeline.profiles import FormSpec, PrintedRole, all_profiles, built_in_profiles
from pipeline.profiles.catalogue import at_most_by_generation, by_generation

# Find the lines that hold only the contest's own rules and notes, wherever a re-flow broke them.
#
# Three kinds of evidence: a line is part of the rules in the profile; a heading of the rules is above it; or the
# entire page uses the rules' vocabulary, because one year's form words them differently.


#: Minimum letters of rules on a page before single lines count as rules.
ENOUGH = 60
#: A line of this many letters counts by itself.
LONG = 45
#: Most letters of a line that are compared, more than a printed line has: the cost grows faster than linearly.
_COMPARED = 200
#: Minimum share of a text's longer words that are in the vocabulary; rules reach it, essays never do.
VOCABULARY = 0.35
#: Minimum distinct words of the vocabulary on a whole page, or the rest of one.
DIFFERENT = 8
_STEM = 6
_WORD = re.compile(r"[a-z]{5,}")


@by_generation
def _corpus() -> str:
    return "".join(squeezed(text) for text in _texts(PrintedRole.RULE, PrintedRole.NOTE))


@by_generation
def _headings() -> frozenset[str]:
    return frozenset(squeezed(text) for text in _texts(PrintedRole.RULES_HEADING))


@by_generation
def _vocabularies() -> tuple[frozenset[str], ...]:
    """Return the stems of the rules' words: of the built-in forms together, and of every other form by itself.

    Words of the form's prompts are left out, since essays use them too.
    """
    others = [[profile] for profile in all_profiles().values() if profile.key not in built_in_profiles()]
    found = (_vocabulary(forms) for forms in ([*built_in_profiles().values()], *others))
    return tuple(vocabulary for vocabulary in found if vocabulary)


def _vocabulary(forms: Iterable[FormSpec]) -> frozenset[str]:
    rules = _stems(" ".join(_texts(PrintedRole.RULE, PrintedRole.RULES_HEADING, forms=forms)))
    roles = (PrintedRole.PROMPT, PrintedRole.OPTION, PrintedRole.NOTE)
    return frozenset(rules - _stems(" ".join(_texts(*roles, forms=forms))))


def _texts(*roles: PrintedRole, forms: Iterable[FormSpec] | None = None) -> list[str]:
    given = all_profiles().values() if forms is None else forms
    printed = [p for profile in given for p in profile.printed if p.role in roles]
    return list(dict.fromkeys(text for p in printed for text in p.texts))


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(plain_text(text))}


def rule_lines(lines: list[LineText], after_rules: bool = False) -> set[int]:
    """Return the indices of the lines that are rules. `after_rules`: the previous page ended with rules."""
    hits = {n for n, line in enumerate(lines) if len(line.text) >= FRAGMENT and _is_rule(line.text[:_COMPARED])}
    if sum(len(lines[n].text) for n in hits) < ENOUGH and not after_rules:
        hits = {n for n in hits if len(lines[n].text) >= LONG}
    hits |= _between(lines, hits)
    for start in _section_starts(lines, after_rules):
        section = range(start, len(lines))
        if speaks_rules([lines[n] for n in section], needed=DIFFERENT // 2 if after_rules or start else DIFFERENT):
            return hits | set(section)
    return hits


def _section_starts(lines: list[LineText], after_rules: bool) -> list[int]:
    headings = [n for n, line in enumerate(lines) if line.text in _headings()]
    return sorted({*headings, 0} if after_rules or not headings else set(headings))


def speaks_rules(lines: list[LineText], needed: int = DIFFERENT) -> bool:
    """Whether lines of text use the vocabulary of the rules of one form."""
    words = [w[:_STEM] for line in lines for w in _WORD.findall(plain_text(token_text(line.tokens)))]
    for vocabulary in _vocabularies():
        known = [w for w in words if w in vocabulary]
        if len(set(known)) >= needed and len(known) >= VOCABULARY * len(words):
            return True
    return False


@at_most_by_generation(4096)
def _is_rule(text: str) -> bool:
    """Whether a line is part of the rules; cached, because every copy prints them alike."""
    return text in _corpus() or fuzz.partial_ratio(text, _corpus(), score_cutoff=86.0) > 0


def _between(lines: list[LineText], hits: set[int]) -> set[int]:
    """Return the short lines next to rules: headings and the last word of a sentence."""
    if len(hits) < 3:
        return set()
    return {
        n
        for n, line in enumerate(lines)
        if n not in hits
        and len(line.text) < 16
        and (line.text in _corpus() or line.text in _headings())
        and ({n - 1, n + 1} & hits)
    }


# Find the form's printed text among the words of a page, even misread, without spaces or cut by a line's end.


#: A shorter text ("Email") is too common a word for fuzzy search.
DISTINCTIVE = 9
#: A line shorter than this never matches as a fragment of a longer printed text.
FRAGMENT = 10
#: A label of fewer letters may be the beginning of a word by chance.
LEAST_GLUED = 5
#: Most lines of a page with the same printed text. A page that repeats a label more often is not a form.
_MOST = 200


@dataclass(frozen=True, slots=True)
class FoundText:
    """One printed text of the form at one place of the page."""

    text: str
    box: Box
    #: 0-100.
    likeness: float
    line: int
    start: int
    end: int
    #: The tokens that it covers, whole or in part.
    tokens: tuple[Token, ...] = field(repr=False, default=())
    #: The share of the printed text before the part that was found (a text cut by a line's end).
    skipped: float = 0.0


class LineText:
    """A line as one string of letters and digits, each with the token that it came from."""

    def __init__(self, tokens: Line) -> None:
        self.tokens = tokens
        #: The letters of each token.
        self._parts = [squeezed(token.text) for token in tokens]
        self.text = "".join(self._parts)
        #: The positions of the first letters of the tokens, and the end of the line.
        self._begins = list(accumulate(map(len, self._parts), initial=0))
        self.taken = [False] * len(self.text)

    @cached_property
    def owner(self) -> list[tuple[int, int]]:
        """For each letter its token's index and its position within the token."""
        return [(index, at) for index, token in enumerate(self.tokens) for at in _letters_at(token.text)]

    @cached_property
    def starts(self) -> dict[int, None]:
        """The positions at which tokens begin, in order, and the end of the line."""
        return dict.fromkeys(self._begins)

    def snapped(self, at: int, reach: int = 2) -> int:
        """Return the nearest beginning of a token within `reach` letters, else `at` itself."""
        for step in range(reach + 1):
            for candidate in (at - step, at + step):
                if 0 <= candidate <= len(self.text) and candidate in self.starts:
                    return candidate
        return at

    def span(self, start: int, end: int) -> list[Token]:
        """Return the tokens of a span of letters, cut where it begins or ends within one."""
        if start >= end:
            return []
        (first, head), (last, tail) = self._owner_of(start), self._owner_of(end - 1)
        if first == last:
            return [self._piece(first, head, tail + 1)]
        between = [self.tokens[n] for n in range(first + 1, last) if self._parts[n]]
        return [self._piece(first, head), *between, self._piece(last, 0, tail + 1)]

    def _owner_of(self, at: int) -> tuple[int, int]:
        """Return one item of `owner`, which costs less than the list of all."""
        index = bisect_right(self._begins, at) - 1
        return index, _letters_at(self.tokens[index].text)[at - self._begins[index]]

    def _piece(self, number: int, start: int, end: int | None = None) -> Token:
        """Return part of a token; characters outside it that are neither letters nor digits are included."""
        token = self.tokens[number]
        first = start if squeezed(token.text[:start]) else 0
        last = end if end and squeezed(token.text[end:]) else len(token.text)
        return token if (first, last) == (0, len(token.text)) else token.part(first, last)

    def take(self, start: int, end: int) -> None:
        """Mark a span as printed text."""
        self.taken[start:end] = [True] * (end - start)

    @cached_property
    def line_starts(self) -> frozenset[int]:
        """The positions at which a line begins on the page: several if a cell's lines are one text."""
        befores = [None, *self.tokens]
        return frozenset(
            at
            for at, before, token in zip(self._begins, befores, self.tokens, strict=False)
            if before is None or token.box.x0 <= before.box.x0
        )

    @cached_property
    def word_ends(self) -> frozenset[int]:
        """The positions before which a word may end: of a token, or at a sign within it ("Grade:4")."""
        signs = (
            self._begins[number] + at
            for number, token in enumerate(self.tokens)
            if not token.text.isalnum()
            for at in _after_signs(token.text)
        )
        return frozenset((*self.starts, *signs))

    def left(self) -> list[Line]:
        """Return the words that were not taken, one run for each stretch between printed texts."""
        return [run for _, run in self.left_at()]

    def left_at(self) -> list[tuple[int, Line]]:
        """Return the runs of `left`, each with the position of its first letter."""
        if True not in self.taken:
            first = next((index for index, part in enumerate(self._parts) if part), len(self.tokens))
            return [(0, self.tokens[first:])] if self.text else []
        if False not in self.taken:
            return []
        runs: list[tuple[int, Line]] = [(0, [])]
        letters: dict[int, list[int]] = {}
        for at, (index, _) in enumerate(self.owner):
            letters.setdefault(index, []).append(at)
        for index, token in enumerate(self.tokens):
            if index not in letters:
                # A dash or slash belongs to the words around it; alone it has no meaning.
                if runs[-1][1]:
                    runs[-1][1].append(token)
                continue
            for start, end in _stretches([at for at in letters[index] if not self.taken[at]]):
                if not runs[-1][1] or (start and self.taken[start - 1]):
                    runs.append((start, []))
                runs[-1][1].extend(self.span(start, end))
            if self.taken[letters[index][-1]]:
                runs.append((0, []))
        return [(start, run) for start, run in runs if run]


def _letters_at(text: str) -> Sequence[int]:
    """Return for each letter of the squeezed text the index of its original character."""
    if text.isascii() and text.isalnum():
        return range(len(text))
    return [at for at, char in enumerate(text) for _ in letters_of(char)]


def _after_signs(text: str) -> Iterator[int]:
    """Yield the positions in the squeezed text, except the first, that directly follow a sign."""
    letters = _letters_at(text)
    return (at for at, (before, here) in enumerate(pairwise(letters), 1) if here > before + 1)


def _stretches(numbers: list[int]) -> list[tuple[int, int]]:
    """Return runs of consecutive numbers, each as (first, last + 1)."""
    runs: list[tuple[int, int]] = []
    for n in numbers:
        if runs and runs[-1][1] == n:
            runs[-1] = (runs[-1][0], n + 1)
        else:
            runs.append((n, n + 1))
    return runs


def _needed(length: int) -> float:
    return 80.0 if length >= 20 else 84.0 if length >= 12 else 90.0


#: `squeezed` of a profile's text, cached: the texts are few and needed on every page.
letters_of_print = lru_cache(maxsize=1024)(squeezed)


def find_text(lines: list[LineText], text: str) -> list[FoundText]:
    """Return every occurrence of a distinctive text, whole or cut by a line's end."""
    wanted = letters_of_print(text)
    if len(wanted) < DISTINCTIVE:
        return []
    return [found for number, line in enumerate(lines) if (found := _in_line(line, number, text, wanted))]


def find_texts(lines: list[LineText], texts: Iterable[str]) -> dict[str, list[FoundText]]:
    """Return the occurrences of each text that occurs, in the order of the texts; see `find_text`.

    Only the first occurrences of a text are returned if more lines have it than on any form.
    """
    sought = _sought(tuple(texts))
    alike: list[list[int]] = [[] for _ in sought.texts]
    for number, indices in enumerate(sought.alike([line.text for line in lines])):
        for index in indices:
            alike[index].append(number)
    found: dict[str, list[FoundText]] = {}
    for text, wanted, numbers in zip(sought.texts, sought.letters, alike, strict=True):
        places = [_in_line(lines[number], number, text, wanted) for number in numbers[:_MOST]]
        if standing := [place for place in places if place is not None]:
            found[text] = standing
    return found


class _Sought:
    """Distinctive texts that are searched for together."""

    def __init__(self, texts: Iterable[str]) -> None:
        wanted = {text: want for text in texts if len(want := letters_of_print(text)) >= DISTINCTIVE}
        self.texts, self.letters = tuple(wanted), tuple(wanted.values())
        needed = [_needed(len(text)) for text in self.letters]
        self._least = min(needed, default=100.0)
        self._needed = np.array(needed, np.float32) - np.float32(0.01)
        #: Most printed text of a form is in the same lines on every copy.
        self._recent: Recent[str, tuple[int, ...]] = Recent(4096)

    def alike(self, lines: Sequence[str]) -> list[tuple[int, ...]]:
        """Return for each line the indices of the texts that it is similar enough to."""
        known = {line: indices for line in lines if (indices := self._recent.get(line)) is not None}
        if new := [line for line in dict.fromkeys(lines) if line not in known]:
            # In one call of C++ code, because each call prepares the texts again.
            scores = process.cdist(new, self.letters, scorer=fuzz.partial_ratio, score_cutoff=self._least)
            for line, row in zip(new, scores >= self._needed, strict=True):
                known[line] = tuple(np.flatnonzero(row).tolist())
                self._recent.keep(line, known[line])
        return [known[line] for line in lines]


_sought = lru_cache(maxsize=64)(_Sought)


def _in_line(line: LineText, number: int, text: str, wanted: str) -> FoundText | None:
    if len(line.text) < min(len(wanted) - 3, FRAGMENT):
        return None
    exact = line.text.find(wanted)
    if exact >= 0:
        return _found(line, number, text, exact, exact + len(wanted), 100.0)
    whole = len(line.text) >= len(wanted) - 3
    aligned = fuzz.partial_ratio_alignment(wanted, line.text, score_cutoff=_needed(len(wanted)))
    if aligned is None:
        return None
    if whole or aligned.dest_end - aligned.dest_start >= len(wanted) - 3:
        start, end = line.snapped(aligned.dest_start), line.snapped(aligned.dest_end)
        return _found(line, number, text, start, end, aligned.score) if end > start else None
    # The line is shorter than the printed text: the whole line must be a nearly exact part of it.
    if aligned.score < 92.0:
        return None
    return _found(line, number, text, 0, len(line.text), aligned.score, aligned.src_start / len(wanted))


def _found(
    line: LineText, number: int, text: str, start: int, end: int, likeness: float, skipped: float = 0.0
) -> FoundText:
    tokens = line.span(start, end)
    return FoundText(text, box_of(tokens), likeness, number, start, end, tuple(tokens), skipped)


def find_word(lines: Iterable[tuple[int, LineText]], text: str) -> list[FoundText]:
    """Return every occurrence of a short text as whole words, with at most one letter misread.

    The next word may follow a dash or colon without a space ("Grade:4").
    """
    wanted = letters_of_print(text)
    return [
        _found(line, number, text, start, start + len(wanted), likeness)
        for number, line in lines
        for start in line.starts
        if (likeness := _likeness_at(line, start, wanted))
    ]


def openings_of(lines: Iterable[LineText], texts: Iterable[str]) -> set[str]:
    """Return those of the short texts that `find_word` would find at the beginning of a line on the page."""
    wanted = {text: letters_of_print(text) for text in texts}
    words = _openings(lines, {len(letters) for letters in wanted.values()})
    return {text for text, letters in wanted.items() if _is_among(letters, words.get(len(letters), ()))}


def _openings(lines: Iterable[LineText], lengths: Collection[int]) -> dict[int, set[str]]:
    """Return the words of these lengths that lines begin with, by length."""
    found: dict[int, set[str]] = {}
    for line in lines:
        for start in line.line_starts:
            for end in line.word_ends:
                if end - start in lengths and start < len(line.text):
                    found.setdefault(end - start, set()).add(line.text[start:end])
    return found


def _is_among(wanted: str, words: Collection[str]) -> bool:
    """Whether one of the words is the text, with at most one letter misread."""
    least = _misread(len(wanted))
    return wanted in words or any(fuzz.ratio(word, wanted, score_cutoff=least) for word in words)


def _likeness_at(line: LineText, start: int, wanted: str) -> float:
    """Return the likeness of the words from `start` on and a short text; 0 if more than one letter differs."""
    end = start + len(wanted)
    if start >= len(line.text) or end not in line.word_ends:
        return 0.0
    if line.text.startswith(wanted, start):
        return 100.0
    return fuzz.ratio(line.text[start:end], wanted, score_cutoff=_misread(len(wanted)))


def _misread(length: int) -> float:
    """Return the likeness of a text of this length with one letter misread."""
    return 100.0 * (1 - 1 / length) - 0.1 if length >= 5 else 100.0


def find_glued(lines: Iterable[tuple[int, LineText]], text: str) -> list[FoundText]:
    """Return every line that begins with the text, directly followed by its value ("Emailana@example.org")."""
    wanted = letters_of_print(text)
    return [
        _found(line, number, text, start, start + len(wanted), 100.0)
        for number, line in lines
        if len(wanted) >= LEAST_GLUED
        for start in sorted(line.line_starts)
        if len(line.text) > start + len(wanted) and line.text.startswith(wanted, start)
    ]
