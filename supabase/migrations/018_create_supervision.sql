-- The supervision of a report or of a person's own document, which deepens it: one row a supervision, one row an
-- attempt at a gap.

create table public.report_supervisions (
  id uuid primary key default gen_random_uuid(),
  report_id uuid not null references public.reports (id) on delete cascade,
  requested_by uuid not null references public.profiles (id),
  -- supervised: each revision waits for a person. automatic: it is applied at once, and shown all the same.
  mode text not null default 'supervised' check (mode in ('automatic', 'supervised')),
  tier text not null default 'standard' check (tier in ('quick', 'standard', 'comprehensive', 'high_quality')),
  status text not null default 'queued'
    check (status in ('queued', 'running', 'awaiting_decision', 'done', 'failed', 'cancelled')),
  -- The version with which it began, and the last good one.
  first_version integer not null,
  last_version integer not null,
  -- The node of the graph that is at work.
  phase text not null default '',
  iterations integer not null default 0,
  integrations integer not null default 0,
  ended_because text check (ended_because in ('approved', 'nothing_to_compare', 'max_iterations', 'circuit_breaker',
    'no_evidence', 'budget', 'cancelled', 'invalid_decision', 'error')),
  -- What the end rests on: {"code": …, "params": {…}}.
  ended_note jsonb check (jsonb_typeof(ended_note) = 'object'),
  -- The words of the model that decided on the end; empty where rules did.
  reasoning text not null default '',
  confidence real check (confidence between 0 and 1),
  error_code text,
  budget jsonb not null default '{}'::jsonb check (jsonb_typeof(budget) = 'object'),
  spent jsonb not null default '{}'::jsonb check (jsonb_typeof(spent) = 'object'),
  cancel_requested_by uuid references public.profiles (id),
  cancel_requested_at timestamptz,
  lease_owner text,
  lease_until timestamptz,
  attempts integer not null default 0,
  enqueued_at timestamptz,
  pruned_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  foreign key (report_id, first_version) references public.report_versions (report_id, version_no),
  foreign key (report_id, last_version) references public.report_versions (report_id, version_no),
  check ((status in ('done', 'failed', 'cancelled')) = (ended_because is not null)),
  check ((cancel_requested_at is null) = (cancel_requested_by is null))
);
-- Two supervisions of one report would overwrite each other.
create unique index report_supervisions_one_at_a_time on public.report_supervisions (report_id)
  where status in ('queued', 'running', 'awaiting_decision');
create index report_supervisions_report on public.report_supervisions (report_id, created_at);
create index report_supervisions_requested_by on public.report_supervisions (requested_by);
create index report_supervisions_under_way on public.report_supervisions (created_at)
  where status in ('queued', 'running', 'awaiting_decision');
alter table public.report_supervisions enable row level security;
revoke all on public.report_supervisions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.report_supervisions to service_role;
create policy report_supervisions_service_role on public.report_supervisions to service_role
  using (true) with check (true);
grant select (id, report_id, requested_by, mode, tier, status, first_version, last_version, phase, iterations,
    integrations, ended_because, ended_note, error_code, budget, spent, reasoning, confidence, cancel_requested_by,
    cancel_requested_at, created_at, started_at, finished_at, updated_at)
  on public.report_supervisions to authenticated;
create policy report_supervisions_select on public.report_supervisions for select to authenticated
  using ((select public.reads_reports()));

create table public.report_revisions (
  id uuid primary key default gen_random_uuid(),
  supervision_id uuid not null references public.report_supervisions (id) on delete cascade,
  report_id uuid not null references public.reports (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  iteration integer not null check (iteration >= 1),
  -- The gap that the attempt is about; null where the analysis itself failed.
  issue jsonb,
  -- Why the attempt was begun, in the words of the model that decided; empty where rules did.
  reasoning text not null default '',
  confidence real check (confidence between 0 and 1),
  -- The result of the attempt before a person decided.
  outcome text not null
    check (outcome in ('integrated', 'no_evidence', 'refused_by_guard', 'already_explored', 'failed')),
  -- Why there is none: what the guard refused, or the code of an error, each {"code": …, "params": {…}}.
  reasons jsonb not null default '[]'::jsonb check (jsonb_typeof(reasons) = 'array'),
  -- Citation keys of the sources that it brought.
  source_keys text[] not null default '{}',
  base_version integer not null,
  -- The revision as proposed; null unless it was integrated.
  document jsonb,
  -- The claims that were checked for it, as rows of `report_claims`: they go there when it becomes a version.
  claims jsonb not null default '[]'::jsonb check (jsonb_typeof(claims) = 'array'),
  -- withdrawn: it still waited when its supervision ended.
  status text not null default 'none'
    check (status in ('none', 'pending', 'accepted', 'edited', 'rejected', 'applied', 'withdrawn')),
  version integer not null default 1,
  decided_by uuid references public.profiles (id),
  decided_at timestamptz,
  -- What the person wrote.
  reason text,
  -- The document as the person changed it.
  edited_document jsonb,
  -- The version of the report that it became.
  made_version integer,
  -- Null until the supervision went on with the decision: the row is the outbox of the resume.
  resumed_at timestamptz,
  claimed_by uuid references public.profiles (id),
  claimed_until timestamptz,
  spent jsonb not null default '{}'::jsonb check (jsonb_typeof(spent) = 'object'),
  created_at timestamptz not null default now(),
  unique (supervision_id, iteration),
  check ((status = 'none') = (document is null)),
  check ((decided_at is null) = (decided_by is null)),
  check (status not in ('accepted', 'edited', 'rejected') or decided_at is not null)
);
create index report_revisions_report on public.report_revisions (report_id, created_at);
create index report_revisions_pending on public.report_revisions (season_id, created_at, id) where status = 'pending';
create index report_revisions_unresumed on public.report_revisions (decided_at)
  where decided_at is not null and resumed_at is null;
alter table public.report_revisions enable row level security;
revoke all on public.report_revisions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.report_revisions to service_role;
create policy report_revisions_service_role on public.report_revisions to service_role using (true) with check (true);
grant select (id, supervision_id, report_id, season_id, iteration, issue, outcome, reasons, reasoning, confidence,
    source_keys, base_version, document, claims, status, version, decided_by, decided_at, reason, edited_document,
    made_version, spent, created_at)
  on public.report_revisions to authenticated;
create policy report_revisions_select on public.report_revisions for select to authenticated
  using ((select public.reads_reports()));
