-- The values of an entry, a row a field, and every piece of a page that a value was read from.
create table public.submission_fields (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  value text,
  confidence real not null default 0 check (confidence between 0 and 1),
  source text check (source in ('acroform', 'text_layer', 'ocr', 'model', 'school_list', 'person')),
  method text,
  -- The first piece of the evidence, for lists; all of them stand in field_evidence.
  page integer check (page >= 1),
  x0 real, y0 real, x1 real, y1 real,
  run_no integer not null default 1,
  version integer not null default 1 check (version >= 1),
  updated_at timestamptz not null default now(),
  unique (submission_id, name),
  check (value is not null or source is null or source = 'person')
);
create index submission_fields_empty on public.submission_fields (season_id, name) where value is null;

create table public.field_evidence (
  field_id uuid not null references public.submission_fields (id) on delete cascade,
  ordinal integer not null check (ordinal >= 0),
  page integer not null check (page >= 1),
  -- 0-1 in displayed-page space, origin top-left.
  x0 real not null, y0 real not null, x1 real not null, y1 real not null,
  primary key (field_id, ordinal),
  check (x0 <= x1 and y0 <= y1)
);

alter table public.submission_fields enable row level security;
alter table public.field_evidence enable row level security;
revoke all on public.submission_fields, public.field_evidence from anon, authenticated;
grant select on public.submission_fields, public.field_evidence to authenticated;
create policy submission_fields_select on public.submission_fields for select to authenticated
  using (exists (select from public.submissions s where s.id = submission_id));
create policy field_evidence_select on public.field_evidence for select to authenticated
  using (exists (select from public.submission_fields f where f.id = field_id));
