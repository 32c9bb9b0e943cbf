"""The schema `public` of a database as comparable text: all that a migration can leave there."""

from __future__ import annotations

import psycopg

_QUERIES = {
    "tables": """
        select c.relname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.relreplident
        from pg_class c where c.relnamespace = 'public'::regnamespace""",
    "columns": """
        select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
               a.attgenerated, pg_get_expr(d.adbin, d.adrelid), a.attcollation::regcollation
        from pg_attribute a
        join pg_class c on c.oid = a.attrelid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped""",
    "constraints": """
        select conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated
        from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'""",
    "indexes": "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'",
    "policies": """
        select tablename, policyname, permissive, roles, cmd, qual, with_check
        from pg_policies where schemaname = 'public'""",
    "grants": """
        select c.relname, g.grantee::regrole, g.privilege_type, g.is_grantable
        from pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) g
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'S')""",
    "column grants": """
        select c.relname, a.attname, g.grantee::regrole, g.privilege_type
        from pg_attribute a join pg_class c on c.oid = a.attrelid, aclexplode(a.attacl) g
        where c.relnamespace = 'public'::regnamespace""",
    "functions": """
        select p.oid::regprocedure, pg_get_functiondef(p.oid) from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')""",
    "triggers": """
        select tgrelid::regclass, tgname, pg_get_triggerdef(t.oid) from pg_trigger t
        join pg_class c on c.oid = t.tgrelid
        where c.relnamespace = 'public'::regnamespace and not tgisinternal""",
}


def schema_of(dsn: str) -> dict[str, list[str]]:
    """Each kind of thing in `public`, sorted. The order of columns in their table is left out."""
    with psycopg.connect(dsn) as connection:
        return {
            kind: sorted(repr(row) for row in connection.execute(query.encode()))
            for kind, query in _QUERIES.items()
        }
