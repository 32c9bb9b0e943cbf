-- The review desk: decisions with what taking them back needs, how long they took, and entries that were set aside.

-- One row a decision of a person on one entry. `before` is all that taking it back restores.
create table public.review_decisions (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  actor_id uuid not null references public.profiles (id),
  kind text not null check (kind in ('suggestion', 'escalation', 'edit', 'reopen', 'duplicate')),
  -- The proposal, escalation or pair that was decided or, by reopening, waits; null for an edit.
  item_id uuid,
  -- The same in all decisions that were made by one bulk decision.
  bulk_id uuid,
  -- The entry's version after the decision, which can be taken back only while the entry still has that version.
  version integer not null check (version >= 1),
  before jsonb not null check (jsonb_typeof(before) = 'object'),
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by uuid references public.profiles (id),
  check ((kind = 'edit') = (item_id is null)),
  check ((undone_at is null) = (undone_by is null))
);
create unique index review_decisions_version on public.review_decisions (submission_id, version)
  where undone_at is null;
create index review_decisions_actor on public.review_decisions (actor_id, created_at desc, id)
  where undone_at is null;
create index review_decisions_bulk on public.review_decisions (bulk_id) where bulk_id is not null;
-- The counts of a decision are taken back by its run.
create index review_decisions_run on public.review_decisions ((before -> 'run' ->> 'run_id'));
alter table public.review_decisions enable row level security;
revoke all on public.review_decisions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.review_decisions to service_role;
create policy review_decisions_service_role on public.review_decisions to service_role using (true) with check (true);
grant select on public.review_decisions to authenticated;
create policy review_decisions_select on public.review_decisions for select to authenticated
  using ((select public.sees_all()));

-- How long a person had an item open and how many values they changed, only where the office has asked for it.
create table public.review_efforts (
  decision_id uuid primary key references public.review_decisions (id) on delete cascade,
  edits integer not null check (edits >= 0),
  seconds integer check (seconds >= 0)
);
alter table public.review_efforts enable row level security;
revoke all on public.review_efforts from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.review_efforts to service_role;
create policy review_efforts_service_role on public.review_efforts to service_role using (true) with check (true);

-- Entries that a reviewer has set aside: something is asked of the school or the family, or the entry is parked with a
-- note. An entry is back in the queue once `until` has passed or an answer has come; no job is needed for that.
create table public.set_asides (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id) on delete cascade,
  kind text not null check (kind in ('asked', 'parked')),
  -- What is asked for, in the order of the form.
  fields text[] not null default '{}',
  note text check (char_length(note) <= 2000),
  until timestamptz not null,
  created_by uuid not null references public.profiles (id),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_why text check (ended_why in ('settled', 'answered', 'replaced', 'rejected', 'superseded', 'taken_back')),
  check ((ended_at is null) = (ended_why is null)),
  check (kind = 'parked' or cardinality(fields) > 0)
);
-- At most one is open for each entry; the queue reads this index alone.
create unique index set_asides_open on public.set_asides (submission_id) include (until) where ended_at is null;
create index set_asides_list on public.set_asides (season_id, until) where ended_at is null;
create index set_asides_submission on public.set_asides (submission_id);
alter table public.set_asides enable row level security;
revoke all on public.set_asides from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.set_asides to service_role;
create policy set_asides_service_role on public.set_asides to service_role using (true) with check (true);
