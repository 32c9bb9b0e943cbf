-- Entries that passed unseen are audited by people who do not see what the machine read: docs/adr/0030-blind-audits.md.

-- Where the draw of a stratum stands (services/trust/drawing.py). No name is in it.
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
  -- With which probability the entry was drawn; what is found counts as often as 1 / probability.
  probability real not null check (probability > 0 and probability <= 1),
  status text not null default 'pending' check (status in ('pending', 'settled')),
  version integer not null default 1 check (version >= 1),
  claimed_by uuid references public.profiles (id),
  claimed_until timestamptz,
  auditor_id uuid references public.profiles (id),
  typed_at timestamptz,
  settled_at timestamptz,
  -- The correction of the entry that the auditor made.
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

-- What the machine completed the entry with, and what the auditor typed without seeing it.
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

do $$
declare
  of_table text;
begin
  foreach of_table in array array['audit_strata', 'audits', 'audit_fields'] loop
    execute format('alter table public.%I enable row level security', of_table);
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', of_table);
    execute format('create policy %I on public.%I to service_role using (true) with check (true)',
      of_table || '_service_role', of_table);
    execute format('grant select, insert, update, delete on public.%I to service_role', of_table);
  end loop;
end
$$;
-- What was settled; an audit that is drawn and not made is the app's, or it would not be blind.
grant select (id, season_id, submission_id, run_id, form, language, provider, band, confidence, probability, status,
    version, auditor_id, typed_at, settled_at, decision_id, created_at)
  on public.audits to authenticated;
create policy audits_select on public.audits for select to authenticated
  using (status = 'settled' and (select public.oversees()));
grant select on public.audit_fields to authenticated;
create policy audit_fields_select on public.audit_fields for select to authenticated
  using (exists (select from public.audits a where a.id = audit_id));

-- The draw of before was seen by nobody.
alter table public.submissions drop column audit_sample;
-- No column is kept from whoever sees the entry any more.
grant select on public.submissions to authenticated;

-- Whether nothing was missing, weak or in doubt, so that the confidence alone decided; null for runs of before.
alter table public.runs add column ready boolean;
create index runs_ready on public.runs (season_id, confidence) where ready;
grant select (ready) on public.runs to authenticated;
