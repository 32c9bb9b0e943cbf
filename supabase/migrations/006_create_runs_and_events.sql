-- Runs of the orchestrator over an entry, and the history of the entry.

-- One row a run; `run_id` is also the thread id of its checkpoints. The lease says which worker may write.
create table public.runs (
  run_id text primary key check (run_id ~ '^[0-9a-f-]{36}:[0-9]+$'),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  run_no integer not null check (run_no >= 1),
  -- read: the first reading is stored, and the joint pass over the entries of the file is still to come.
  status text not null default 'queued'
    check (status in ('queued', 'read', 'running', 'interrupted', 'settled', 'superseded', 'failed')),
  outcome text check (outcome in
    ('completed', 'suggested', 'escalated', 'resolved', 'rejected', 'superseded', 'failed')),
  -- {"code": …, "params": {…}}.
  reason jsonb,
  -- What was asked for when reading again: ocr_provider, profile, ask_model.
  options jsonb not null default '{}'::jsonb,
  tools_used text[] not null default '{}',
  confidence real check (confidence between 0 and 1),
  -- Nothing was missing, weak or in doubt, so that the confidence alone decided; null: not known.
  ready boolean,
  -- The changes that the joint pass has made to the first reading; null before the pass.
  together jsonb,
  -- An entry that goes to a person anyway is shown before all entries of its file are read; the joint pass follows.
  shown_early boolean not null default false,
  -- The entry was decided with its file, or alone, and the joint pass over its batch is still to come.
  batch_due boolean not null default false,
  -- The joint pass over the batch began this run, which may complete nothing.
  reopened boolean not null default false,
  attempts integer not null default 0 check (attempts >= 0),
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  started_at timestamptz,
  settled_at timestamptz,
  -- When its checkpoints were removed.
  pruned_at timestamptz,
  created_at timestamptz not null default now(),
  unique (submission_id, run_no),
  check ((lease_owner is null) = (lease_until is null)),
  constraint runs_reason_is_a_message check (jsonb_typeof(reason) = 'object' and reason ? 'code')
);
create index runs_unsettled on public.runs (enqueued_at nulls first) where status in ('queued', 'running');
create index runs_unpruned on public.runs (settled_at) where status in ('settled', 'superseded', 'failed')
  and pruned_at is null;
create index runs_read on public.runs (submission_id) where status = 'read';
create index runs_shown_early on public.runs (submission_id) where shown_early;
create index runs_batch_due on public.runs (submission_id) where batch_due;
create index runs_ready on public.runs (season_id, confidence) where ready;
alter table public.runs enable row level security;
revoke all on public.runs from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.runs to service_role;
create policy runs_service_role on public.runs to service_role using (true) with check (true);
grant select (run_id, submission_id, season_id, run_no, status, outcome, reason, options, tools_used, confidence,
    started_at, settled_at, created_at, shown_early, reopened, ready)
  on public.runs to authenticated;
create policy runs_select on public.runs for select to authenticated using ((select public.oversees()));

-- Who did what and when, the value before and after, and why. Written in the transaction of the change; never altered.
create table public.review_events (
  id bigint generated always as identity primary key,
  season_id uuid not null references public.seasons (id),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  -- Null: the machine.
  actor_id uuid references public.profiles (id),
  kind text not null check (kind in
    ('read', 'completed', 'suggested', 'escalated', 'failed', 'field_approved', 'field_edited', 'field_kept',
     'field_rejected', 'suggestion_decided', 'escalation_resolved', 'rejected', 'edited', 'reopened', 'undone',
     'superseded', 'read_again', 'duplicate_found', 'duplicate_decided', 'defaults_changed', 'received_changed',
     'typed_in', 'asked', 'parked', 'put_back', 'waived')),
  field_name text,
  before_value text,
  after_value text,
  -- What a person wrote.
  reason text,
  -- What the machine says: {"code": …, "params": {…}}.
  message jsonb,
  run_no integer,
  version integer,
  created_at timestamptz not null default now(),
  constraint review_events_message_is_a_message check (jsonb_typeof(message) = 'object' and message ? 'code')
);
create index review_events_submission on public.review_events (submission_id, id);
alter table public.review_events enable row level security;
revoke all on public.review_events from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.review_events to service_role;
create policy review_events_service_role on public.review_events to service_role using (true) with check (true);
revoke all on sequence public.review_events_id_seq from public, anon, authenticated, service_role;
grant select on public.review_events to authenticated;
create policy review_events_select on public.review_events for select to authenticated
  using (exists (select from public.submissions s where s.id = submission_id));
