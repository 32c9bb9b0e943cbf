-- What the orchestrator did: one row an execution of a node, and the ledger of calls of a model.

create table public.orchestrator_logs (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  run_id text not null references public.runs (run_id) on delete cascade,
  -- Counts from 1 within the run; a repeated node writes the same step and is dropped.
  step integer not null check (step >= 1),
  timestamp timestamptz not null default now(),
  -- What routing saw (tries, confidence, missing fields); no values of the entry.
  state_json jsonb not null default '{}'::jsonb,
  action_taken text not null,
  -- {"code": …, "params": {…}}.
  reason jsonb,
  tools_used text[] not null default '{}',
  final_outcome text check (final_outcome in
    ('completed', 'suggested', 'escalated', 'resolved', 'rejected', 'superseded', 'failed')),
  duration_ms integer not null default 0 check (duration_ms >= 0),
  model text,
  tokens_in integer not null default 0 check (tokens_in >= 0),
  tokens_out integer not null default 0 check (tokens_out >= 0),
  cost_usd numeric(12, 6) not null default 0 check (cost_usd >= 0),
  trace_id text,
  trace_json jsonb,
  owner_user_id uuid references public.profiles (id),
  unique (run_id, step),
  constraint orchestrator_logs_reason_is_a_message check (jsonb_typeof(reason) = 'object' and reason ? 'code')
);
create index orchestrator_logs_submission on public.orchestrator_logs (submission_id, timestamp);
create index orchestrator_logs_timestamp on public.orchestrator_logs (season_id, timestamp desc);
alter table public.orchestrator_logs enable row level security;
revoke all on public.orchestrator_logs from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.orchestrator_logs to service_role;
create policy orchestrator_logs_service_role on public.orchestrator_logs to service_role
  using (true) with check (true);
grant select on public.orchestrator_logs to authenticated;
create policy orchestrator_logs_select on public.orchestrator_logs for select to authenticated
  using ((select public.oversees()));

-- One row a request to a model, with what it took and cost.
create table public.model_calls (
  id uuid primary key,
  run_id text references public.runs (run_id) on delete cascade,
  submission_id uuid references public.submissions (id) on delete cascade,
  -- The node of the graph that asked.
  node text,
  purpose text not null,
  provider text not null,
  model text not null,
  -- 1 for the first request, 2 for its first retry.
  attempt integer not null default 1 check (attempt >= 1),
  tokens_in integer not null default 0 check (tokens_in >= 0),
  tokens_out integer not null default 0 check (tokens_out >= 0),
  latency_ms integer not null default 0 check (latency_ms >= 0),
  cost_usd numeric(12, 6) not null default 0 check (cost_usd >= 0),
  status text not null check (status in ('ok', 'failed')),
  error_code text,
  created_at timestamptz not null default now()
);
create index model_calls_run on public.model_calls (run_id, created_at);
create index model_calls_submission on public.model_calls (submission_id);
-- What /metrics reads of the last hour (docs/monitoring.md).
create index model_calls_created on public.model_calls (created_at);
alter table public.model_calls enable row level security;
revoke all on public.model_calls from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.model_calls to service_role;
create policy model_calls_service_role on public.model_calls to service_role using (true) with check (true);
grant select on public.model_calls to authenticated;
create policy model_calls_select on public.model_calls for select to authenticated using ((select public.oversees()));
