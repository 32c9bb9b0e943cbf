-- Reports: what was asked, how it was researched, and every version of what was written.
create table public.reports (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  requested_by uuid not null references public.profiles (id),
  -- 'uploaded': a long document of a person's own, to be supervised; its first version is that document.
  origin text not null default 'asked' check (origin in ('asked', 'uploaded')),
  query text not null,
  title text not null default '',
  report_type text not null default 'narrative' check (report_type in ('narrative', 'catalog')),
  -- Whether a person chose the type.
  type_chosen boolean not null default false,
  target_items integer check (target_items between 1 and 100),
  language text not null default 'en' check (language in ('en', 'es')),
  tier text not null default 'standard' check (tier in ('quick', 'standard', 'comprehensive', 'high_quality')),
  -- Kinds of researcher that may be sent: web, academic, book.
  kinds text[] not null default '{web,academic,book}',
  -- Providers that may be asked; empty: every one that is on.
  providers text[] not null default '{}',
  domains_allowed text[] not null default '{}',
  domains_denied text[] not null default '{}',
  -- {"user": "210" | null, "model": {…} | null, "effective": {…} | null, "explanation": …}; never one in place of another.
  allocation jsonb not null default '{}'::jsonb check (jsonb_typeof(allocation) = 'object'),
  -- A person reads, changes and approves the plan before anything is fetched.
  approve_plan boolean not null default false,
  plan jsonb,
  plan_approved_by uuid references public.profiles (id),
  plan_approved_at timestamptz,
  -- Null until the graph went on with the approved plan: the row is the outbox of the resume.
  plan_resumed_at timestamptz,
  -- {"calls": …, "tokens": …, "usd": …, "minutes": …}; what is left out has no limit of its own.
  budget jsonb not null default '{}'::jsonb check (jsonb_typeof(budget) = 'object'),
  spent jsonb not null default '{}'::jsonb check (jsonb_typeof(spent) = 'object'),
  status text not null default 'queued'
    check (status in ('queued', 'running', 'awaiting_plan', 'done', 'failed', 'cancelled')),
  phase text not null default 'planning',
  -- Why it ended as it did: complete, no_evidence, budget, cancelled, error.
  ended_because text,
  error_code text,
  error_message text,
  cancel_requested_by uuid references public.profiles (id),
  cancel_requested_at timestamptz,
  current_version integer,
  is_sample boolean not null default false,
  lease_owner text,
  lease_until timestamptz,
  attempts integer not null default 0,
  version integer not null default 1,
  enqueued_at timestamptz,
  pruned_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  check ((plan_approved_at is null) = (plan_approved_by is null)),
  check ((cancel_requested_at is null) = (cancel_requested_by is null))
);
create index reports_list on public.reports (season_id, created_at, id);
create index reports_requested_by on public.reports (requested_by);
create index reports_under_way on public.reports (created_at) where status in ('queued', 'running', 'awaiting_plan');

create table public.report_rounds (
  report_id uuid not null references public.reports (id) on delete cascade,
  round_index integer not null check (round_index between 1 and 3),
  -- Bounded context for the next round, as `research.memo` writes it.
  memo jsonb,
  -- Why there was nothing to do in it: no_gaps, no_claims, no_tasks_left, no_sources, budget. Null: it was done.
  skipped_because text,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (report_id, round_index)
);

create table public.report_tasks (
  report_id uuid not null references public.reports (id) on delete cascade,
  task_id text not null,
  round_index integer not null check (round_index between 1 and 3),
  kind text not null check (kind in ('web', 'academic', 'book')),
  question text not null,
  -- The whole of what was planned: instructions, the claim to verify, domains to keep off.
  brief jsonb not null default '{}'::jsonb check (jsonb_typeof(brief) = 'object'),
  queries text[] not null default '{}',
  gap_id text,
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'nothing_found', 'failed')),
  error_code text,
  -- As `research.worker_result` writes it; a task that is done is never done again.
  result jsonb,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (report_id, task_id)
);

create table public.report_gaps (
  report_id uuid not null references public.reports (id) on delete cascade,
  gap_id text not null,
  gap_type text not null,
  description text not null,
  priority integer not null check (priority between 1 and 3),
  candidate_name text,
  missing_fields text[] not null default '{}',
  missing_topic text,
  suggested_query text,
  state text not null default 'open' check (state in ('open', 'closed', 'unfillable')),
  -- Ids of what closed it; a gap is never closed without any.
  evidence text[] not null default '{}',
  opened_round integer not null,
  closed_round integer,
  primary key (report_id, gap_id),
  check (state <> 'closed' or cardinality(evidence) > 0)
);

create table public.report_sources (
  report_id uuid not null references public.reports (id) on delete cascade,
  -- The citation key: "mendoza2019", "mendoza2019b". While its round is under way, and for what could not be read:
  -- the task and a number.
  key text not null,
  kind text not null check (kind in ('web', 'academic', 'book', 'essay')),
  provider text not null,
  title text not null default '',
  authors text[] not null default '{}',
  year integer,
  publisher text,
  url text,
  canonical_url text,
  domain text not null default '',
  doi text,
  isbn text,
  language text,
  library_document_id uuid references public.library_documents (id) on delete set null,
  -- Only what was read can be quoted; a failed fetch is a record of the failure and has no passages.
  status text not null check (status in ('read', 'failed')),
  error_code text,
  char_count integer not null default 0,
  round_index integer not null,
  task_id text,
  retrieved_at timestamptz not null default now(),
  primary key (report_id, key)
);
create index report_sources_library_document on public.report_sources (library_document_id)
  where library_document_id is not null;

-- Together, in order of `position`, a source's passages are its whole text.
create table public.report_passages (
  report_id uuid not null,
  source_key text not null,
  position integer not null check (position >= 0),
  page_no integer check (page_no >= 1),
  start_char integer not null check (start_char >= 0),
  end_char integer not null,
  text text not null,
  primary key (report_id, source_key, position),
  foreign key (report_id, source_key) references public.report_sources (report_id, key)
    on delete cascade on update cascade,
  check (end_char >= start_char)
);

create table public.report_claims (
  report_id uuid not null references public.reports (id) on delete cascade,
  -- What a marker names behind its key: [@mendoza2019#c12].
  claim_id text not null,
  sentence text not null,
  quote text not null,
  claimed_source_key text,
  -- Null: in no source; such a claim is never published.
  source_key text,
  start_char integer,
  end_char integer,
  page_no integer,
  status text not null check (status in ('verified', 'misattributed', 'fabricated')),
  -- Of a claim of round 2: what round 3 found in other domains.
  verification text check (verification in ('confirmed', 'contradicted', 'not_found')),
  round_index integer,
  created_at timestamptz not null default now(),
  primary key (report_id, claim_id),
  check ((status = 'fabricated') = (source_key is null))
);

-- Every model call of a report under a key made of what was asked: a resume finds the reply here and asks nobody twice.
create table public.report_calls (
  report_id uuid not null references public.reports (id) on delete cascade,
  call_key text not null,
  purpose text not null,
  reply jsonb not null,
  -- Why there is no usable reply; the same question is refused for the same reason until a person asks for a retry.
  error_code text,
  provider text not null,
  model text not null,
  -- That were sent for it: repairs and repeated attempts included.
  requests integer not null default 1,
  tokens_in integer not null default 0,
  tokens_out integer not null default 0,
  cost_usd numeric(12, 6) not null default 0,
  created_at timestamptz not null default now(),
  primary key (report_id, call_key)
);

create table public.report_versions (
  report_id uuid not null references public.reports (id) on delete cascade,
  version_no integer not null check (version_no >= 1),
  -- As `research.document` writes it.
  document jsonb not null,
  origin text not null check (origin in ('synthesis', 'uploaded', 'revision', 'restored', 'edited')),
  made_by uuid references public.profiles (id),
  note text not null default '',
  created_at timestamptz not null default now(),
  primary key (report_id, version_no)
);

alter table public.reports enable row level security;
alter table public.report_rounds enable row level security;
alter table public.report_tasks enable row level security;
alter table public.report_gaps enable row level security;
alter table public.report_sources enable row level security;
alter table public.report_passages enable row level security;
alter table public.report_claims enable row level security;
alter table public.report_calls enable row level security;
alter table public.report_versions enable row level security;
revoke all on public.reports, public.report_rounds, public.report_tasks, public.report_gaps, public.report_sources,
  public.report_passages, public.report_claims, public.report_calls, public.report_versions from anon, authenticated;
-- Calls hold prompts' answers in full: nobody reads them over the API.
grant select on public.reports, public.report_rounds, public.report_tasks, public.report_gaps, public.report_sources,
  public.report_passages, public.report_claims, public.report_versions to authenticated;
create policy reports_select on public.reports for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('officer', 'reviewer', 'auditor', 'admin'));
create policy report_rounds_select on public.report_rounds for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('officer', 'reviewer', 'auditor', 'admin'));
create policy report_tasks_select on public.report_tasks for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('officer', 'reviewer', 'auditor', 'admin'));
create policy report_gaps_select on public.report_gaps for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('officer', 'reviewer', 'auditor', 'admin'));
create policy report_sources_select on public.report_sources for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('officer', 'reviewer', 'auditor', 'admin'));
create policy report_passages_select on public.report_passages for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('officer', 'reviewer', 'auditor', 'admin'));
create policy report_claims_select on public.report_claims for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('officer', 'reviewer', 'auditor', 'admin'));
create policy report_versions_select on public.report_versions for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('officer', 'reviewer', 'auditor', 'admin'));
