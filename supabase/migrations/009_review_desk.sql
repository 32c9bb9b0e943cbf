-- The review desk: claims on escalations, and what undo needs of each decision.
alter table public.escalations
  add column claimed_by uuid references public.profiles (id),
  add column claimed_until timestamptz;

-- One row a decision of a person on one entry. `before` is all that undo restores.
create table public.review_decisions (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  actor_id uuid not null references public.profiles (id),
  kind text not null check (kind in ('suggestion', 'escalation', 'edit', 'reopen')),
  -- The proposal or escalation that was decided or, by reopening, waits; null for an edit.
  item_id uuid,
  -- The decisions made by one bulk decision.
  bulk_id uuid,
  -- The entry's version as this decision left it; undone only while the entry still has it.
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

alter table public.review_decisions enable row level security;
revoke all on public.review_decisions from anon, authenticated;
grant select on public.review_decisions to authenticated;
create policy review_decisions_select on public.review_decisions for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('reviewer', 'auditor', 'admin'));
