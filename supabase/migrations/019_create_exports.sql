-- Files that are made for people, of entries and of reports (docs/adr/0033-exports.md). They name children: they are
-- kept for days, and an erasure removes those of its season.

create table public.exports (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id) on delete cascade,
  requested_by uuid not null references public.profiles (id),
  kind text not null check (kind in ('entries', 'judges', 'certificates', 'report', 'own')),
  format text not null,
  -- Which entries: what the list was filtered by.
  filter jsonb not null default '{}',
  -- Keys of the columns, in their order.
  columns text[] not null default '{}',
  -- report: files of a version, made once for all who read the report. own: files of a person's own document of
  -- excerpts, made anew when it has changed.
  report_id uuid references public.reports (id) on delete cascade,
  version_no integer check (version_no > 0),
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
  finished_at timestamptz,
  constraint exports_format_check check (
    case when kind in ('report', 'own') then format in ('markdown', 'html', 'docx', 'pdf', 'json', 'bibtex', 'csl')
    else format in ('csv', 'xlsx', 'jsonl', 'zip') end),
  constraint exports_report_check
    check ((kind in ('report', 'own')) = (report_id is not null) and (kind = 'report') = (version_no is not null))
);
create index exports_list on public.exports (requested_by, created_at desc, id desc);
create index exports_season on public.exports (season_id, created_at desc);
create index exports_due on public.exports (created_at) where status in ('queued', 'running');
-- One file for each version and format, or for each person and format.
create unique index exports_report on public.exports (report_id, version_no, format) where report_id is not null;
create unique index exports_own on public.exports (report_id, requested_by, format) where kind = 'own';
alter table public.exports enable row level security;
revoke all on public.exports from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.exports to service_role;
create policy exports_service_role on public.exports to service_role using (true) with check (true);
