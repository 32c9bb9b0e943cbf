-- What statistics are read from: the facts of each run that has ended, and counts of runs and of what followed.

-- A run at the moment when the machine was done with it. It is counted under these values for ever: neither a person's
-- decision nor a change of the school list moves it.
create table public.run_facts (
  run_id text primary key references public.runs (run_id) on delete cascade,
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  batch_id uuid not null references public.upload_batches (id) on delete cascade,
  ended_at timestamptz not null default now(),
  outcome text not null check (outcome in ('completed', 'suggested', 'escalated', 'failed')),
  -- The code of the reason, and the fields that the reason names.
  reason text not null default '',
  fields text[] not null default '{}',
  -- The entry's reason codes.
  doubts text[] not null default '{}',
  tools text[] not null default '{}',
  profile text,
  language text,
  ocr_provider text,
  -- A school of the list; no reference, so that what was counted stays when the school is removed.
  school_id uuid,
  -- How many rows of the log are counted.
  steps integer not null default 0 check (steps >= 0)
);
create index run_facts_ended on public.run_facts (season_id, ended_at desc, submission_id desc);
create index run_facts_submission on public.run_facts (submission_id);
create index run_facts_batch on public.run_facts (batch_id, ended_at desc);
create index run_facts_school on public.run_facts (school_id, ended_at desc);
alter table public.run_facts enable row level security;
revoke all on public.run_facts from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.run_facts to service_role;
create policy run_facts_service_role on public.run_facts to service_role using (true) with check (true);
grant select on public.run_facts to authenticated;
create policy run_facts_select on public.run_facts for select to authenticated using ((select public.oversees()));

-- Counts, kept in the transaction of what is counted, for ever. `keys` says what of its kind is counted. Everything is
-- counted by day and by month, by day of its batch, and by day of its school where the list has that. Days and months
-- are counted also without form, language and provider, and with one of these alone. So no page reads more rows than
-- it shows.
create table public.orchestrator_counts (
  season_id uuid not null references public.seasons (id) on delete cascade,
  scope text not null
    check (scope in ('batch', 'school') or scope ~ '^(all_|form_|language_|provider_)?(day|month)$'),
  scope_id uuid not null default '00000000-0000-0000-0000-000000000000',
  day date not null,
  kind text not null,
  keys text[] not null,
  profile text not null default '',
  language text not null default '',
  ocr_provider text not null default '',
  number bigint not null default 0,
  total bigint not null default 0,
  tokens_in bigint not null default 0,
  tokens_out bigint not null default 0,
  cost_usd numeric(14, 6) not null default 0,
  primary key (season_id, scope, scope_id, kind, day, keys, profile, language, ocr_provider)
);
-- Scopes and kinds are far from equally frequent; unless the planner knows it, it sorts what it could sum at once.
create statistics public.orchestrator_counts_places (dependencies, mcv) on season_id, scope, scope_id, kind
  from public.orchestrator_counts;
alter table public.orchestrator_counts enable row level security;
revoke all on public.orchestrator_counts from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.orchestrator_counts to service_role;
create policy orchestrator_counts_service_role on public.orchestrator_counts to service_role
  using (true) with check (true);
grant select on public.orchestrator_counts to authenticated;
create policy orchestrator_counts_select on public.orchestrator_counts for select to authenticated
  using ((select public.oversees()));
