-- Pages of a file, runs of the orchestrator over an entry, and the audit trail.
create table public.pages (
  upload_id uuid not null references public.uploads (id) on delete cascade,
  page_no integer not null check (page_no >= 1),
  -- Displayed size in points.
  width real not null check (width > 0),
  height real not null check (height > 0),
  role text not null check (role in
    ('header', 'essay', 'continuation', 'instructions', 'blank_form', 'blank_sheet', 'other')),
  source text check (source in ('acroform', 'text_layer', 'ocr')),
  distrust text,
  ocr_confidence real check (ocr_confidence between 0 and 1),
  primary key (upload_id, page_no)
);

-- One row a run; `run_id` is also the thread id of its checkpoints. The lease says which worker may write.
create table public.runs (
  run_id text primary key check (run_id ~ '^[0-9a-f-]{36}:[0-9]+$'),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  run_no integer not null check (run_no >= 1),
  status text not null default 'queued'
    check (status in ('queued', 'running', 'interrupted', 'settled', 'superseded', 'failed')),
  outcome text check (outcome in
    ('completed', 'suggested', 'escalated', 'resolved', 'rejected', 'superseded', 'failed')),
  reason text,
  -- What was asked for when reading again: ocr_provider, profile, ask_model.
  options jsonb not null default '{}'::jsonb,
  tools_used text[] not null default '{}',
  confidence real check (confidence between 0 and 1),
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
  check ((lease_owner is null) = (lease_until is null))
);
create index runs_unsettled on public.runs (enqueued_at nulls first) where status in ('queued', 'running');
create index runs_unpruned on public.runs (settled_at) where status in ('settled', 'superseded', 'failed')
  and pruned_at is null;

-- Who did what when, before and after, and why. Written in the transaction of the change; never altered.
create table public.review_events (
  id bigint generated always as identity primary key,
  season_id uuid not null references public.seasons (id),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  -- Null: the machine.
  actor_id uuid references public.profiles (id),
  kind text not null check (kind in
    ('read', 'completed', 'suggested', 'escalated', 'failed', 'field_approved', 'field_edited', 'field_rejected',
     'suggestion_decided', 'escalation_resolved', 'rejected', 'edited', 'reopened', 'undone', 'superseded',
     'read_again')),
  field_name text,
  before_value text,
  after_value text,
  reason text,
  run_no integer,
  version integer,
  created_at timestamptz not null default now()
);
create index review_events_submission on public.review_events (submission_id, id);

alter table public.pages enable row level security;
alter table public.runs enable row level security;
alter table public.review_events enable row level security;
revoke all on public.pages, public.runs, public.review_events from anon, authenticated;
grant select on public.pages, public.runs, public.review_events to authenticated;
create policy pages_select on public.pages for select to authenticated
  using (exists (select from public.uploads u where u.id = upload_id));
create policy runs_select on public.runs for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') = 'admin');
create policy review_events_select on public.review_events for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('reviewer', 'auditor', 'admin'));
