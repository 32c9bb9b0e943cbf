-- Blind audits: entries that the machine completed are drawn and typed by people who do not see what it read
-- (docs/adr/0030-blind-audits.md).

-- How far the draw of each stratum has come. It holds no names.
create table public.audit_strata (
  season_id uuid not null references public.seasons (id) on delete cascade,
  form text not null,
  language text not null,
  provider text not null,
  -- Lower bound of the band of confidence, in per cent.
  band integer not null check (band between 0 and 100),
  total double precision not null check (total >= 0),
  seen integer not null check (seen >= 1),
  primary key (season_id, form, language, provider, band)
);
alter table public.audit_strata enable row level security;
revoke all on public.audit_strata from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.audit_strata to service_role;
create policy audit_strata_service_role on public.audit_strata to service_role using (true) with check (true);

create table public.audits (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  run_id text not null unique references public.runs (run_id) on delete cascade,
  form text not null,
  language text not null,
  provider text not null,
  band integer not null,
  confidence real not null check (confidence between 0 and 1),
  -- The probability with which the entry was drawn; what is found counts 1 / probability times.
  probability real not null check (probability > 0 and probability <= 1),
  status text not null default 'pending' check (status in ('pending', 'settled')),
  version integer not null default 1 check (version >= 1),
  claimed_by uuid references public.profiles (id),
  claimed_until timestamptz,
  auditor_id uuid references public.profiles (id),
  typed_at timestamptz,
  settled_at timestamptz,
  -- The auditor's correction of the entry.
  decision_id uuid references public.review_decisions (id) on delete set null,
  created_at timestamptz not null default now(),
  check ((status = 'settled') = (settled_at is not null)),
  check (settled_at is null or typed_at is not null),
  check ((typed_at is null) = (auditor_id is null))
);
create index audits_queue on public.audits (season_id, created_at, id) where status = 'pending';
create index audits_settled on public.audits (season_id, settled_at desc) where status = 'settled';
create index audits_submission on public.audits (submission_id);
create index audits_auditor on public.audits (auditor_id, settled_at desc) where status = 'settled';
alter table public.audits enable row level security;
revoke all on public.audits from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.audits to service_role;
create policy audits_service_role on public.audits to service_role using (true) with check (true);
-- Only audits that are settled are shown: otherwise they would not be blind.
grant select (id, season_id, submission_id, run_id, form, language, provider, band, confidence, probability, status,
    version, auditor_id, typed_at, settled_at, decision_id, created_at)
  on public.audits to authenticated;
create policy audits_select on public.audits for select to authenticated
  using (status = 'settled' and (select public.oversees()));

-- The value with which the machine completed the entry, and the one that the auditor typed without seeing it.
create table public.audit_fields (
  audit_id uuid not null references public.audits (id) on delete cascade,
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  required boolean not null,
  value text,
  confidence real not null check (confidence between 0 and 1),
  typed text,
  -- Who is right: both say the same, the machine, the auditor, or it cannot be told.
  finding text check (finding in ('same', 'machine', 'auditor', 'unclear')),
  primary key (audit_id, name)
);
alter table public.audit_fields enable row level security;
revoke all on public.audit_fields from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.audit_fields to service_role;
create policy audit_fields_service_role on public.audit_fields to service_role using (true) with check (true);
grant select on public.audit_fields to authenticated;
create policy audit_fields_select on public.audit_fields for select to authenticated
  using (exists (select from public.audits a where a.id = audit_id));
