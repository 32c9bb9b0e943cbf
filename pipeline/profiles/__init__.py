"""Form profiles: the printed texts of a form and their positions. Nothing else knows what a form asks for."""

from pipeline.profiles.catalogue import (
    all_profiles,
    form_profiles,
    freeform_profile,
    known_forms,
    known_profile,
    use_profiles,
)
from pipeline.profiles.files import FOLDER, built_in_profiles, read_profile
from pipeline.profiles.form import (
    ANY_FORM,
    ENTRANT,
    HEADER_KINDS,
    ZONE_KINDS,
    FieldKind,
    FieldSpec,
    Forms,
    IgnoredZone,
    Printed,
    PrintedRole,
    Profile,
    ProfileKind,
)

__all__ = [
    "ANY_FORM",
    "ENTRANT",
    "FOLDER",
    "HEADER_KINDS",
    "ZONE_KINDS",
    "FieldKind",
    "FieldSpec",
    "Forms",
    "IgnoredZone",
    "Printed",
    "PrintedRole",
    "Profile",
    "ProfileKind",
    "all_profiles",
    "built_in_profiles",
    "form_profiles",
    "freeform_profile",
    "known_forms",
    "known_profile",
    "read_profile",
    "use_profiles",
]
