-- What waits for a person: proposals of the review agent, one row a run with a child row a field, and escalations, the
-- runs that were interrupted until a person decides.

create table public.review_suggestions (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  run_id text not null unique references public.runs (run_id) on delete cascade,
  -- {field: proposed value}, as the source plans have it; decisions are made on the child rows.
  proposed_updates jsonb not null check (jsonb_typeof(proposed_updates) = 'object'),
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'rejected', 'superseded')),
  version integer not null default 1 check (version >= 1),
  -- Why the entry came here: {"code": …, "params": {…}}.
  reason jsonb,
  -- Who has it open, and until when nobody else can.
  claimed_by uuid references public.profiles (id),
  claimed_until timestamptz,
  -- Since when that person has had it open without a break: tells how long a decision took, where the office measures
  -- that.
  held_since timestamptz,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by_user_id uuid references public.profiles (id),
  check ((status = 'pending') = (resolved_at is null)),
  constraint review_suggestions_reason_is_a_message check (jsonb_typeof(reason) = 'object' and reason ? 'code')
);
create index review_suggestions_queue on public.review_suggestions (season_id, created_at, id)
  where status = 'pending';
create index review_suggestions_by_status on public.review_suggestions (season_id, status, created_at, id)
  where status <> 'pending';
create index review_suggestions_submission on public.review_suggestions (submission_id);
alter table public.review_suggestions enable row level security;
revoke all on public.review_suggestions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.review_suggestions to service_role;
create policy review_suggestions_service_role on public.review_suggestions to service_role
  using (true) with check (true);
-- Who has an item open is the app's own, here and below.
grant select (id, submission_id, season_id, run_id, proposed_updates, status, version, reason, created_at, resolved_at,
    resolved_by_user_id)
  on public.review_suggestions to authenticated;
create policy review_suggestions_select on public.review_suggestions for select to authenticated
  using ((select public.sees_all()));

create table public.review_suggestion_fields (
  id uuid primary key default gen_random_uuid(),
  suggestion_id uuid not null references public.review_suggestions (id) on delete cascade,
  name text not null check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  current_value text,
  -- Null: there is nothing to propose; a person fills it in.
  proposed_value text,
  -- What was saved in the entry.
  final_value text,
  -- Which of the two values is likelier to be right; it is marked at first.
  preferred text not null default 'neither' check (preferred in ('proposed', 'as_read', 'neither')),
  confidence real not null default 0 check (confidence between 0 and 1),
  probability real check (probability between 0 and 1),
  source text check (source in ('acroform', 'text_layer', 'ocr', 'model', 'school_list', 'person')),
  method text,
  -- {"code": …, "params": {…}}.
  reason jsonb,
  page integer check (page >= 1),
  x0 real, y0 real, x1 real, y1 real,
  -- kept: the value as read was confirmed, though another was proposed.
  decision text not null default 'pending'
    check (decision in ('pending', 'approved', 'edited', 'kept', 'rejected')),
  decided_by uuid references public.profiles (id),
  decided_at timestamptz,
  unique (suggestion_id, name),
  check ((decision = 'pending') = (decided_at is null)),
  constraint review_suggestion_fields_reason_is_a_message
    check (jsonb_typeof(reason) = 'object' and reason ? 'code')
);
-- Fields without a proposed value: few, and searched for by themselves.
create index review_suggestion_fields_vacant on public.review_suggestion_fields (suggestion_id, name)
  where proposed_value is null;
alter table public.review_suggestion_fields enable row level security;
revoke all on public.review_suggestion_fields from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.review_suggestion_fields to service_role;
create policy review_suggestion_fields_service_role on public.review_suggestion_fields to service_role
  using (true) with check (true);
grant select on public.review_suggestion_fields to authenticated;
create policy review_suggestion_fields_select on public.review_suggestion_fields for select to authenticated
  using ((select public.sees_all()));

create table public.escalations (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  run_id text not null unique references public.runs (run_id) on delete cascade,
  -- {"code": …, "params": {…}}.
  reason jsonb not null,
  -- What the interrupt says: missing fields, reason codes, confidence; no values.
  payload jsonb not null default '{}'::jsonb,
  status text not null default 'pending' check (status in ('pending', 'resolved', 'rejected', 'superseded')),
  version integer not null default 1 check (version >= 1),
  -- The row is the outbox of the resume: {"action": …, "values": {…}, "reason": …} is still to be carried out while
  -- `resumed_at` is null.
  decision jsonb,
  decided_by uuid references public.profiles (id),
  decided_at timestamptz,
  resumed_at timestamptz,
  claimed_by uuid references public.profiles (id),
  claimed_until timestamptz,
  held_since timestamptz,
  created_at timestamptz not null default now(),
  check ((status in ('resolved', 'rejected')) = (decision is not null)),
  check ((decision is null) = (decided_at is null)),
  constraint escalations_reason_is_a_message check (jsonb_typeof(reason) = 'object' and reason ? 'code')
);
create index escalations_queue on public.escalations (season_id, created_at, id) where status = 'pending';
create index escalations_by_status on public.escalations (season_id, status, created_at, id)
  where status <> 'pending';
create index escalations_outbox on public.escalations (decided_at) where decided_at is not null and resumed_at is null;
create index escalations_submission on public.escalations (submission_id);
alter table public.escalations enable row level security;
revoke all on public.escalations from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.escalations to service_role;
create policy escalations_service_role on public.escalations to service_role using (true) with check (true);
grant select (id, submission_id, season_id, run_id, reason, payload, status, version, decided_by, decided_at,
    created_at)
  on public.escalations to authenticated;
create policy escalations_select on public.escalations for select to authenticated
  using ((select public.sees_all()));
