-- What the supervisor did: one row a node execution, the ledger of model calls, and the daily roll-up.
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
  reason text,
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
  unique (run_id, step)
);
create index orchestrator_logs_submission on public.orchestrator_logs (submission_id, timestamp);
create index orchestrator_logs_timestamp on public.orchestrator_logs (season_id, timestamp desc);

create table public.model_calls (
  id uuid primary key,
  run_id text references public.runs (run_id) on delete cascade,
  submission_id uuid references public.submissions (id) on delete cascade,
  purpose text not null,
  provider text not null,
  model text not null,
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

-- Kept in the transaction that settles a run, so that statistics never scan the log.
create table public.orchestrator_daily (
  season_id uuid not null references public.seasons (id) on delete cascade,
  day date not null,
  outcome text not null,
  reason text not null default '',
  runs integer not null default 0 check (runs >= 0),
  tools integer not null default 0 check (tools >= 0),
  primary key (season_id, day, outcome, reason)
);

alter table public.orchestrator_logs enable row level security;
alter table public.model_calls enable row level security;
alter table public.orchestrator_daily enable row level security;
revoke all on public.orchestrator_logs, public.model_calls, public.orchestrator_daily from anon, authenticated;
grant select on public.orchestrator_logs, public.model_calls, public.orchestrator_daily to authenticated;
create policy orchestrator_logs_select on public.orchestrator_logs for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') = 'admin');
create policy model_calls_select on public.model_calls for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') = 'admin');
create policy orchestrator_daily_select on public.orchestrator_daily for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') = 'admin');
