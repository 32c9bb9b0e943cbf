"""Rights as the catalogue has them, also in a Supabase project, where new tables are granted to everybody."""

from __future__ import annotations

import psycopg

from core.embedded.servers import APPLICATION
from tests.core.row_level_security.expected import HIDDEN, READS, REFUSED_TO_SERVICE_ROLE
from tests.support.schema import schema_of
from tests.support.supabase_project import OWNER

#: The functions that policies ask.
FUNCTIONS = {"person_id", "person_role", "sees_all", "oversees", "reads_reports", "may_administer"}
#: What an entry that is written is found by and counted with, and how it is looked for.
FUNCTIONS_OF_ENTRIES = {
    *("fold_entry_counts", "folded", "name_words", "search_is_common", "search_query", "search_vector"),
    *("search_words_of", "shortened"),
}


def test_rights_are_those_of_the_data(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        assert rights(connection) == {table: expected_rights(table) for table in READS}


def expected_rights(table: str) -> set[tuple[str, str]]:
    """Return the rights on a whole table; those on single columns are tried in `test_reading`."""
    verbs = {"SELECT", "INSERT", "UPDATE", "DELETE"}
    refused = {verb.upper() for verb in REFUSED_TO_SERVICE_ROLE.get(table, set())}
    found = {("service_role", verb) for verb in verbs - refused}
    if READS[table] != "xxxxx" and table not in HIDDEN:
        found.add(("authenticated", "SELECT"))
    return found


def rights(connection: psycopg.Connection) -> dict[str, set[tuple[str, str]]]:
    """Return for each table who but its owner has which right on it."""
    found = connection.execute(
        "select c.relname, coalesce(r.rolname, 'public'), g.privilege_type"
        " from pg_class c left join aclexplode(c.relacl) g on g.grantee <> c.relowner"
        " left join pg_roles r on r.oid = g.grantee"
        " where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'"
    )
    tables: dict[str, set[tuple[str, str]]] = {}
    for table, role, right in found:
        tables.setdefault(table, set()).update({(role, right)} if right is not None else ())
    return tables


def test_policies_are_for_two_roles_and_are_not_forced_on_the_app(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        strange = connection.execute(
            "select tablename, policyname from pg_policies where schemaname = 'public' and not"
            " (roles = '{service_role}' and cmd = 'ALL' or roles = '{authenticated}' and cmd = 'SELECT')"
        ).fetchall()
        open_or_forced = connection.execute(
            "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"
            " and (not relrowsecurity or relforcerowsecurity or relowner <> current_user::regrole)"
        ).fetchall()
        claims_of_roles = connection.execute(
            "select policyname from pg_policies where coalesce(qual, '') || coalesce(with_check, '') like '%jwt%'"
        ).fetchall()
    assert (strange, open_or_forced, claims_of_roles) == ([], [], [])


def test_the_rights_of_a_project_change_nothing(project_url: str, database_url: str) -> None:
    """There new tables and functions are granted to everybody."""
    there, here = schema_of(project_url), schema_of(database_url)
    for kind in ("policies", "grants", "column grants"):
        assert [row.replace(OWNER, APPLICATION) for row in there[kind]] == here[kind]
    for url in (project_url, database_url):
        with psycopg.connect(url) as connection:
            assert callable_by(connection, "authenticated") == FUNCTIONS
            assert callable_by(connection, "anon") == set()
            assert callable_by(connection, "service_role") == FUNCTIONS_OF_ENTRIES
            connection.execute("create table forgotten (id integer)")
            assert {role for role, _ in rights(connection)["forgotten"]} <= {"service_role"}
            connection.rollback()


def callable_by(connection: psycopg.Connection, role: str) -> set[str]:
    """Return our functions of `public` that a role may call; nobody calls those of triggers."""
    found = connection.execute(
        "select proname from pg_proc where pronamespace = 'public'::regnamespace"
        " and prorettype <> 'trigger'::regtype and has_function_privilege(%s, oid, 'execute')"
        " and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e')",
        [role],
    )
    return {row[0] for row in found}


def test_functions_of_policies_are_fixed_and_run_as_the_owner(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        found = connection.execute(
            "select proname, prosecdef, provolatile, proconfig from pg_proc"
            " where pronamespace = 'public'::regnamespace and proname = any(%s)",
            [sorted(FUNCTIONS)],
        ).fetchall()
    assert {row[1:3] for row in found} == {(True, "s")} and len(found) == len(FUNCTIONS)
    assert {tuple(row[3]) for row in found} == {('search_path=""',)}
