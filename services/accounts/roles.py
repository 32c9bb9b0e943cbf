"""The five roles and their permissions."""

from __future__ import annotations

from typing import Self

from core.labels import LabelledEnum

_PERMISSIONS = (
    "may_upload",
    "sees_all",
    "oversees",
    "may_review",
    "reads_reports",
    "may_research",
    "may_administer",
)


class Role(LabelledEnum):
    """Role of a person; stored by key, shown by label."""

    #: Description of the role, for the person who assigns it.
    purpose: str

    def __new__(cls, key: str, label: str = "", purpose: str = "") -> Self:
        member = str.__new__(cls, key)
        member._value_, member.label, member.purpose = key, label, purpose
        return member

    UPLOADER = "uploader", "Uploader", "Uploads files and follows their own entries."
    OFFICER = (
        "officer",
        "Program officer",
    )
    "Requests reports and decides on their revisions. Cannot see entries."
    REVIEWER = "reviewer", "Reviewer", "Sees every entry and decides on proposals and escalations."
    AUDITOR = (
        "auditor",
        "Auditor",
        "Sees everything, audits what passed without review, and corrects only what an audit finds.",
    )
    ADMIN = "admin", "Admin", "Does all of the above and manages people and the school list."

    @property
    def may_upload(self) -> bool:
        return self not in (Role.AUDITOR, Role.OFFICER)

    @property
    def sees_all(self) -> bool:
        """Whether the role sees the entries of other people."""
        return self not in (Role.UPLOADER, Role.OFFICER)

    @property
    def oversees(self) -> bool:
        """Whether the role sees the supervisor's statistics and traces."""
        return self in (Role.AUDITOR, Role.ADMIN)

    @property
    def may_review(self) -> bool:
        return self in (Role.REVIEWER, Role.ADMIN)

    @property
    def reads_reports(self) -> bool:
        return self is not Role.UPLOADER

    @property
    def may_research(self) -> bool:
        """Whether the role may request reports, approve their plans and decide on their revisions."""
        return self in (Role.OFFICER, Role.REVIEWER, Role.ADMIN)

    @property
    def may_administer(self) -> bool:
        return self is Role.ADMIN

    @property
    def permissions(self) -> frozenset[str]:
        """The names of what the role may, as the properties above have them."""
        return frozenset(name for name in _PERMISSIONS if getattr(self, name))
