-- What statistics are read from: the facts of each run that has ended, and counts of them and of what followed.

-- The language that the entry is written in; null where it is not known.
alter table public.submissions add column language text check (language in ('en', 'es'));
grant select (language) on public.submissions to authenticated;

-- 1 for the first request, 2 for its first retry; and the step of the graph that asked.
alter table public.model_calls add column attempt integer not null default 1 check (attempt >= 1);
alter table public.model_calls add column node text;

-- A run at the moment when the machine was done with it. It is counted under these values for ever: neither a
-- person's decision nor a change of the school list moves it.
create table public.run_facts (
  run_id text primary key references public.runs (run_id) on delete cascade,
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id),
  batch_id uuid not null references public.upload_batches (id) on delete cascade,
  ended_at timestamptz not null default now(),
  outcome text not null check (outcome in ('completed', 'suggested', 'escalated', 'failed')),
  -- Code of the reason, and the fields that the reason names.
  reason text not null default '',
  fields text[] not null default '{}',
  -- The entry's reason codes.
  doubts text[] not null default '{}',
  tools text[] not null default '{}',
  profile text,
  language text,
  ocr_provider text,
  -- A school of the list; no reference, so that what was counted stays where a school is removed.
  school_id uuid,
  -- Rows of the log that are counted.
  steps integer not null default 0 check (steps >= 0)
);
create index run_facts_ended on public.run_facts (season_id, ended_at desc, submission_id desc);
create index run_facts_submission on public.run_facts (submission_id);
create index run_facts_batch on public.run_facts (batch_id, ended_at desc);
create index run_facts_school on public.run_facts (school_id, ended_at desc);

-- How long a person had an item open, and how many values the person changed. Only where the office has said so.
create table public.review_efforts (
  decision_id uuid primary key references public.review_decisions (id) on delete cascade,
  edits integer not null check (edits >= 0),
  seconds integer check (seconds >= 0)
);

-- Counts, kept in the transaction of what is counted, for ever. `keys` says what of its kind is counted; see
-- services/stats/occurrences.py. Everything is counted by day and by month, by day of its batch, and by day of its
-- school where the list has that, so that no page reads more rows than it shows.
create table public.orchestrator_counts (
  season_id uuid not null references public.seasons (id) on delete cascade,
  scope text not null check (scope in ('day', 'month', 'batch', 'school')),
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

-- A decision's counts are taken back by its run.
create index review_decisions_run on public.review_decisions ((before -> 'run' ->> 'run_id'));

do $$
declare
  of_table text;
begin
  foreach of_table in array array['run_facts', 'review_efforts', 'orchestrator_counts']
  loop
    execute format('alter table public.%I enable row level security', of_table);
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', of_table);
    execute format('create policy %I on public.%I to service_role using (true) with check (true)',
      of_table || '_service_role', of_table);
    execute format('grant select, insert, update, delete on public.%I to service_role', of_table);
  end loop;
end
$$;
grant select on public.run_facts, public.orchestrator_counts to authenticated;
create policy run_facts_select on public.run_facts for select to authenticated using ((select public.oversees()));
create policy orchestrator_counts_select on public.orchestrator_counts for select to authenticated
  using ((select public.oversees()));

-- Runs that ended before there were facts. A person's decision has changed the outcome of some: the last step of
-- the log that the machine took has theirs, or else what waits for a person.
insert into public.run_facts
    (run_id, submission_id, season_id, batch_id, ended_at, outcome, reason, doubts, tools, profile, ocr_provider, steps)
  select r.run_id, r.submission_id, r.season_id, s.batch_id, coalesce(r.settled_at, r.started_at, r.created_at),
    case
      when r.outcome in ('completed', 'suggested', 'escalated', 'failed') and r.status <> 'superseded' then r.outcome
      when exists (select from public.review_suggestions g where g.run_id = r.run_id) then 'suggested'
      when exists (select from public.escalations e where e.run_id = r.run_id) then 'escalated'
      else 'completed'
    end,
    coalesce(r.reason ->> 'code', ''), s.review_reason_codes, r.tools_used, s.profile, r.options ->> 'ocr_provider',
    coalesce((select max(l.step) from public.orchestrator_logs l where l.run_id = r.run_id), 0)
  from public.runs r join public.submissions s on s.id = r.submission_id
  where r.status in ('settled', 'interrupted', 'failed')
    or (r.status = 'superseded' and r.reason is not null);
