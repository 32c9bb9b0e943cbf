"""What the advisors of Supabase's dashboard look for, asked of the catalogue of a project's database.

After the published rules (github.com/supabase/splinter), by their names. Left out are those that need a running
project: unused indexes, bloat, versions of extensions, settings of Auth.
"""

from __future__ import annotations

import psycopg
import pytest

#: What the API of a project publishes; the other schemas of ours are looked at too where a rule is about speed.
_OURS = "(n.nspname in ('public', 'langgraph', 'embeddings', 'supabase_migrations'))"
_PUBLIC = "n.nspname = 'public'"
_EXTENSION = "(select from pg_depend d where d.objid = {}.oid and d.deptype = 'e')"
_TABLES = "pg_class c join pg_namespace n on n.oid = c.relnamespace and c.relkind in ('r', 'p')"
#: A policy with its table, and its conditions as text.
_POLICIES = (
    "(select p.*, concat_ws(' and ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) said"
    " from pg_policy p) p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace"
)
#: What a policy asks of the request; in a subselect of its own it is asked once a statement, else for each row.
_ASKED = r"(auth\.\w+|current_setting|person_id|person_role|sees_all|oversees|reads_reports|may_administer)\("

#: {rule: what breaks it, each as text}.
RULES: dict[str, str] = {
    # Deleting a row that is referred to would read the whole table that refers to it.
    "unindexed_foreign_keys": f"""
        select format('%s (%s)', c.relname, string_agg(a.attname, ', ' order by k.place))
        from pg_constraint f join {_TABLES} on c.oid = f.conrelid and f.contype = 'f'
        cross join lateral unnest(f.conkey) with ordinality k (number, place)
        join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number
        where {_OURS} and not exists (
          select from pg_index i
          where i.indrelid = f.conrelid and i.indisvalid
            and (string_to_array(i.indkey::text, ' ')::int2[])[1:cardinality(f.conkey)] = f.conkey
            and (i.indpred is null
              or pg_get_expr(i.indpred, i.indrelid) = (
                select format('(%I IS NOT NULL)', attname) from pg_attribute
                where attrelid = f.conrelid and attnum = f.conkey[1])))
        group by f.oid, c.relname""",
    "auth_users_exposed": f"""
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where {_PUBLIC} and c.relkind in ('v', 'm') and pg_get_viewdef(c.oid) ~ 'auth\\.users'""",
    "auth_rls_initplan": f"""
        select p.polname from {_POLICIES}
        where {_OURS} and regexp_replace(p.said, '\\( ?select (public\\.)?{_ASKED}', '', 'gi') ~ '{_ASKED}'""",
    "no_primary_key": f"""
        select c.relname from {_TABLES}
        where {_OURS} and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)""",
    "multiple_permissive_policies": f"""
        select format('%s for %s', c.relname, r.rolname)
        from {_POLICIES}
        join pg_roles r on r.oid = any(p.polroles) or p.polroles = '{{0}}'
        cross join unnest(case p.polcmd when '*' then '{{r,a,w,d}}'::"char"[] else array[p.polcmd] end) verb
        where {_PUBLIC} and p.polpermissive group by c.relname, r.rolname, verb having count(*) > 1""",
    "policy_exists_rls_disabled": f"select p.polname from {_POLICIES} where {_OURS} and not c.relrowsecurity",
    "rls_enabled_no_policy": f"""
        select c.relname from {_TABLES}
        where {_PUBLIC} and c.relrowsecurity and not exists (select from pg_policy where polrelid = c.oid)""",
    "rls_disabled_in_public": f"select c.relname from {_TABLES} where {_PUBLIC} and not c.relrowsecurity",
    # Whoever comes from outside writes nothing, whatever the row.
    "rls_policy_always_true": f"""
        select p.polname from {_POLICIES}
        where {_PUBLIC} and p.polcmd <> 'r' and p.said ~* '(^| )\\(?true\\)?( |$)'
          and p.polroles <> array['service_role'::regrole::oid]""",
    "rls_references_user_metadata": f"""
        select p.polname from {_POLICIES} where {_OURS} and p.said ~ 'user_metadata'""",
    # Also beside a unique one.
    "duplicate_index": f"""
        select string_agg(i.indexrelid::regclass::text, ', ' order by i.indexrelid)
        from pg_index i join {_TABLES} on c.oid = i.indrelid
        where {_OURS}
        group by i.indrelid, regexp_replace(pg_get_indexdef(i.indexrelid), '^.* INDEX .* ON ', '')
        having count(*) > 1""",
    "security_definer_view": f"""
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where {_PUBLIC} and c.relkind = 'v'
          and not coalesce(array_to_string(c.reloptions, ' ') ~* 'security_invoker=(true|on|yes|1)', false)""",
    "function_search_path_mutable": f"""
        select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where {_OURS} and not exists {_EXTENSION.format("p")}
          and not coalesce(array_to_string(p.proconfig, ' ') ~ 'search_path=', false)""",
    "extension_in_public": f"""
        select extname from pg_extension join pg_namespace n on n.oid = extnamespace where {_PUBLIC}""",
    "materialized_view_or_foreign_table_in_api": f"""
        select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where {_PUBLIC} and c.relkind in ('m', 'f')""",
    # They hold names of things in the catalogue, which an upgrade of PostgreSQL numbers anew.
    "unsupported_reg_types": f"""
        select format('%s.%s', c.relname, a.attname) from {_TABLES} join pg_attribute a on a.attrelid = c.oid
        where {_OURS} and a.atttypid = any(array['regclass', 'regproc', 'regprocedure', 'regoper', 'regoperator',
          'regconfig', 'regdictionary', 'regnamespace', 'regcollation']::regtype[])""",
    "fkey_to_auth_unique": """
        select conname from pg_constraint where contype = 'f' and confrelid = 'auth.users'::regclass""",
    "anon_security_definer_function_executable": f"""
        select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where {_PUBLIC} and p.prosecdef and has_function_privilege('anon', p.oid, 'execute')""",
}
#: What stays as it is, by rule.
ACCEPTED = {
    # Written each time an item is opened, and empty but for minutes: with an index each would be a new row in all
    # indexes of the table. People are shut out, never deleted.
    "unindexed_foreign_keys": {
        f"{table} (claimed_by)" for table in ("audits", "escalations", "report_revisions", "review_suggestions")
    }
}


@pytest.mark.parametrize("rule", RULES)
def test_no_advisor_has_anything_to_say(session_url: str, rule: str) -> None:
    with psycopg.connect(session_url) as connection:
        found = {row[0] for row in connection.execute(RULES[rule].encode())}
    assert found == ACCEPTED.get(rule, set()), "\n".join(sorted(found))


@pytest.mark.parametrize(
    ("table", "column"),
    [("orchestrator_logs", "timestamp"), ("model_calls", "created_at"), ("security_events", "created_at")],
)
def test_what_is_removed_by_age_is_found_by_it(session_url: str, table: str, column: str) -> None:
    """Of every season at once, each night."""
    with psycopg.connect(session_url) as connection:
        found = connection.execute(
            "select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]"
            " where i.indrelid = %s::regclass and a.attname = %s and i.indpred is null",
            [table, column],
        )
        assert found.rowcount > 0


def test_no_search_reads_a_list_of_what_is_new(session_url: str) -> None:
    """Which a GIN index keeps unless it is told not to."""
    with psycopg.connect(session_url) as connection:
        found = connection.execute(
            "select c.relname, coalesce('fastupdate=off' = any(c.reloptions), false) from pg_class c"
            " join pg_am a on a.oid = c.relam where a.amname = 'gin' and c.relnamespace = 'public'::regnamespace"
        ).fetchall()
    assert found and all(is_off for _, is_off in found), found
