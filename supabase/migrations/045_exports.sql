-- Files that are made of entries for people: docs/adr/0033-exports.md. They name children: they are kept for days,
-- and an erasure removes those of its season.
create table public.exports (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id) on delete cascade,
  requested_by uuid not null references public.profiles (id),
  kind text not null check (kind in ('entries', 'judges', 'certificates')),
  format text not null check (format in ('csv', 'xlsx', 'jsonl', 'zip')),
  -- Which entries; see services/entries/submission_filter.py.
  filter jsonb not null default '{}',
  -- Keys of services/exports/columns.py, in this order.
  columns text[] not null default '{}',
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
  rows_total integer check (rows_total >= 0),
  rows_done integer not null default 0 check (rows_done >= 0),
  byte_size bigint check (byte_size >= 0),
  error_code text,
  error_params jsonb not null default '{}',
  attempts integer not null default 0 check (attempts >= 0),
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index exports_list on public.exports (requested_by, created_at desc, id desc);
create index exports_season on public.exports (season_id, created_at desc);
create index exports_due on public.exports (created_at) where status in ('queued', 'running');

-- The columns that a person chose last.
alter table public.profiles add column export_columns text[];

alter table public.api_tokens drop constraint api_tokens_scopes_check;
alter table public.api_tokens add constraint api_tokens_scopes_check
  check (cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'uploads', 'exports']);

do $$
begin
  alter table public.exports enable row level security;
  revoke all on public.exports from public, anon, authenticated, service_role;
  create policy exports_service_role on public.exports to service_role using (true) with check (true);
  grant select, insert, update, delete on public.exports to service_role;
end
$$;
