-- What the review agent proposes, a row a run with a child row a field, and the runs that wait for a person.
create table public.review_suggestions (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  run_id text not null unique references public.runs (run_id) on delete cascade,
  -- {field: proposed value}, as the seed has it; the child rows are what decisions are made on.
  proposed_updates jsonb not null check (jsonb_typeof(proposed_updates) = 'object'),
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'rejected', 'superseded')),
  version integer not null default 1 check (version >= 1),
  -- Why the entry came here: reason codes and weak fields, most weighty first.
  reason text not null default '',
  claimed_by uuid references public.profiles (id),
  claimed_until timestamptz,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by_user_id uuid references public.profiles (id),
  check ((status = 'pending') = (resolved_at is null))
);
create index review_suggestions_queue on public.review_suggestions (season_id, created_at, id)
  where status = 'pending';
create index review_suggestions_submission on public.review_suggestions (submission_id);

create table public.review_suggestion_fields (
  id uuid primary key default gen_random_uuid(),
  suggestion_id uuid not null references public.review_suggestions (id) on delete cascade,
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  current_value text,
  -- Null: nothing to propose; a person fills it in.
  proposed_value text,
  -- What the record got.
  final_value text,
  confidence real not null default 0 check (confidence between 0 and 1),
  source text check (source in ('acroform', 'text_layer', 'ocr', 'model', 'school_list', 'person')),
  method text,
  reason text,
  page integer check (page >= 1),
  x0 real, y0 real, x1 real, y1 real,
  decision text not null default 'pending' check (decision in ('pending', 'approved', 'edited', 'rejected')),
  decided_by uuid references public.profiles (id),
  decided_at timestamptz,
  unique (suggestion_id, name),
  check ((decision = 'pending') = (decided_at is null))
);

create table public.escalations (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  run_id text not null unique references public.runs (run_id) on delete cascade,
  reason text not null,
  -- What the interrupt says: missing fields, reason codes, confidence; no values.
  payload jsonb not null default '{}'::jsonb,
  status text not null default 'pending' check (status in ('pending', 'resolved', 'rejected', 'superseded')),
  version integer not null default 1 check (version >= 1),
  -- The outbox of the resume: {"action": …, "values": {…}, "reason": …}; `resumed_at is null` is still to be done.
  decision jsonb,
  decided_by uuid references public.profiles (id),
  decided_at timestamptz,
  resumed_at timestamptz,
  created_at timestamptz not null default now(),
  check ((status in ('resolved', 'rejected')) = (decision is not null)),
  check ((decision is null) = (decided_at is null))
);
create index escalations_queue on public.escalations (season_id, created_at, id) where status = 'pending';
create index escalations_outbox on public.escalations (decided_at) where decided_at is not null and resumed_at is null;
create index escalations_submission on public.escalations (submission_id);

alter table public.review_suggestions enable row level security;
alter table public.review_suggestion_fields enable row level security;
alter table public.escalations enable row level security;
revoke all on public.review_suggestions, public.review_suggestion_fields, public.escalations
  from anon, authenticated;
grant select on public.review_suggestions, public.review_suggestion_fields, public.escalations to authenticated;
create policy review_suggestions_select on public.review_suggestions for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('reviewer', 'auditor', 'admin'));
create policy review_suggestion_fields_select on public.review_suggestion_fields for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('reviewer', 'auditor', 'admin'));
create policy escalations_select on public.escalations for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('reviewer', 'auditor', 'admin'));
