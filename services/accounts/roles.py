"""The five roles and what each may do."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What a person is here for; stored by key, shown by label."""

    UPLOADER = "uploader"
    OFFICER = "officer"
    REVIEWER = "reviewer"
    AUDITOR = "auditor"
    ADMIN = "admin"

    @property
    def label(self) -> str:
        return self.value.capitalize()

    @property
    def purpose(self) -> str:
        """What the role is for, in a sentence for the person who gives it."""
        return _PURPOSES[self]

    @property
    def may_upload(self) -> bool:
        return self not in (Role.AUDITOR, Role.OFFICER)

    @property
    def sees_all(self) -> bool:
        """Whether the entries of others are shown too."""
        return self not in (Role.UPLOADER, Role.OFFICER)

    @property
    def oversees(self) -> bool:
        """Whether the supervisor's work is shown: statistics and traces."""
        return self in (Role.AUDITOR, Role.ADMIN)

    @property
    def may_review(self) -> bool:
        return self in (Role.REVIEWER, Role.ADMIN)

    @property
    def reads_reports(self) -> bool:
        return self is not Role.UPLOADER

    @property
    def may_research(self) -> bool:
        """Whether they may ask for reports, plan them and decide their revisions."""
        return self in (Role.OFFICER, Role.REVIEWER, Role.ADMIN)

    @property
    def may_administer(self) -> bool:
        return self is Role.ADMIN


_PURPOSES = {
    Role.UPLOADER: "Uploads files and follows their own entries.",
    Role.OFFICER: "Asks for reports and decides their revisions; sees no entries.",
    Role.REVIEWER: "Sees every entry and decides proposals and escalations.",
    Role.AUDITOR: "Sees everything, changes nothing.",
    Role.ADMIN: "Does all of that and manages people.",
}
