-- Research reports: what was asked, how it was researched, and every version of what was written.

create table public.reports (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  requested_by uuid not null references public.profiles (id),
  -- uploaded: a long document of a person's own, to be supervised; its first version is that document.
  origin text not null default 'asked' check (origin in ('asked', 'uploaded')),
  query text not null,
  title text not null default '',
  report_type text not null default 'narrative' check (report_type in ('narrative', 'catalog')),
  -- Whether a person chose the type.
  type_chosen boolean not null default false,
  target_items integer check (target_items between 1 and 100),
  -- The fields that every item of a catalog should have, as the person confirmed them: keys of known fields, or the
  -- text as typed. Empty for a narrative.
  fields text[] not null default '{}' check (cardinality(fields) <= 12),
  language text not null default 'en' check (language in ('en', 'es')),
  tier text not null default 'standard' check (tier in ('quick', 'standard', 'comprehensive', 'high_quality')),
  -- Kinds of researcher that may be sent: web, academic, book.
  kinds text[] not null default '{web,academic,book}',
  -- Providers that may be asked; empty: every one that is on.
  providers text[] not null default '{}',
  domains_allowed text[] not null default '{}',
  domains_denied text[] not null default '{}',
  -- Which researchers are sent: {"user": "210" | null, "model": {…} | null, "effective": {…} | null, "notes": […]}.
  -- What the person chose, what the model proposed and what was done stand side by side; none replaces another.
  allocation jsonb not null default '{}'::jsonb check (jsonb_typeof(allocation) = 'object'),
  -- The words of the model that chose the researchers.
  allocation_reasoning text not null default '',
  -- A person reads, changes and approves the plan before anything is fetched.
  approve_plan boolean not null default false,
  plan jsonb,
  plan_approved_by uuid references public.profiles (id),
  plan_approved_at timestamptz,
  -- Null until the graph went on with the approved plan: the row is the outbox of the resume.
  plan_resumed_at timestamptz,
  -- A supervision of the report begins in the transaction that ends its research.
  supervise boolean not null default false,
  -- {"calls": …, "tokens": …, "usd": …, "minutes": …}; what is left out has no limit of its own.
  budget jsonb not null default '{}'::jsonb check (jsonb_typeof(budget) = 'object'),
  spent jsonb not null default '{}'::jsonb check (jsonb_typeof(spent) = 'object'),
  status text not null default 'queued'
    check (status in ('queued', 'running', 'awaiting_plan', 'done', 'failed', 'cancelled')),
  phase text not null default 'planning',
  -- Why it ended: complete, no_evidence, budget, cancelled, error.
  ended_because text,
  error_code text,
  cancel_requested_by uuid references public.profiles (id),
  cancel_requested_at timestamptz,
  current_version integer,
  is_sample boolean not null default false,
  lease_owner text,
  lease_until timestamptz,
  attempts integer not null default 0,
  version integer not null default 1,
  enqueued_at timestamptz,
  -- When its checkpoints were removed.
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
alter table public.reports enable row level security;
revoke all on public.reports from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.reports to service_role;
create policy reports_service_role on public.reports to service_role using (true) with check (true);
grant select (id, season_id, requested_by, origin, query, title, report_type, type_chosen, target_items, language, tier,
    kinds, providers, domains_allowed, domains_denied, allocation, allocation_reasoning, approve_plan, supervise, plan,
    plan_approved_by, plan_approved_at, budget, spent, status, phase, ended_because, error_code, cancel_requested_by,
    cancel_requested_at, current_version, is_sample, version, created_at, started_at, finished_at, updated_at, fields)
  on public.reports to authenticated;
create policy reports_select on public.reports for select to authenticated using ((select public.reads_reports()));

create table public.report_rounds (
  report_id uuid not null references public.reports (id) on delete cascade,
  round_index integer not null check (round_index between 1 and 3),
  -- Bounded context for the next round.
  memo jsonb,
  -- Why there was nothing to do: no_gaps, no_claims, no_tasks_left, no_sources, budget. Null: the round was done.
  skipped_because text,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (report_id, round_index)
);
alter table public.report_rounds enable row level security;
revoke all on public.report_rounds from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.report_rounds to service_role;
create policy report_rounds_service_role on public.report_rounds to service_role using (true) with check (true);
grant select on public.report_rounds to authenticated;
create policy report_rounds_select on public.report_rounds for select to authenticated
  using ((select public.reads_reports()));

create table public.report_tasks (
  report_id uuid not null references public.reports (id) on delete cascade,
  task_id text not null,
  -- 4: not of a round, asked by a supervision.
  round_index integer not null check (round_index between 1 and 4),
  kind text not null check (kind in ('web', 'academic', 'book')),
  question text not null,
  -- All that was planned: instructions, the claim to verify, domains to keep off.
  brief jsonb not null default '{}'::jsonb check (jsonb_typeof(brief) = 'object'),
  queries text[] not null default '{}',
  gap_id text,
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'nothing_found', 'failed')),
  error_code text,
  -- What the researcher brought; a task that is done is never done again.
  result jsonb,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (report_id, task_id)
);
alter table public.report_tasks enable row level security;
revoke all on public.report_tasks from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.report_tasks to service_role;
create policy report_tasks_service_role on public.report_tasks to service_role using (true) with check (true);
grant select on public.report_tasks to authenticated;
create policy report_tasks_select on public.report_tasks for select to authenticated
  using ((select public.reads_reports()));

create table public.report_gaps (
  report_id uuid not null references public.reports (id) on delete cascade,
  gap_id text not null,
  gap_type text not null,
  -- The words of a model; empty where a rule found the gap.
  description text not null,
  -- Of a gap that is about too few: how many there are, and how many there should be.
  have integer,
  wanted integer,
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
alter table public.report_gaps enable row level security;
revoke all on public.report_gaps from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.report_gaps to service_role;
create policy report_gaps_service_role on public.report_gaps to service_role using (true) with check (true);
grant select on public.report_gaps to authenticated;
create policy report_gaps_select on public.report_gaps for select to authenticated
  using ((select public.reads_reports()));

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
alter table public.report_sources enable row level security;
revoke all on public.report_sources from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.report_sources to service_role;
create policy report_sources_service_role on public.report_sources to service_role using (true) with check (true);
grant select on public.report_sources to authenticated;
create policy report_sources_select on public.report_sources for select to authenticated
  using ((select public.reads_reports()));

-- In order of `position`, a source's passages are its whole text.
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
alter table public.report_passages enable row level security;
revoke all on public.report_passages from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.report_passages to service_role;
create policy report_passages_service_role on public.report_passages to service_role using (true) with check (true);
grant select on public.report_passages to authenticated;
create policy report_passages_select on public.report_passages for select to authenticated
  using ((select public.reads_reports()));

create table public.report_claims (
  report_id uuid not null references public.reports (id) on delete cascade,
  -- What a marker names after the key of the source: [@mendoza2019#c12].
  claim_id text not null,
  sentence text not null,
  quote text not null,
  claimed_source_key text,
  -- Null: the quotation is in no source; such a claim is never published.
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
alter table public.report_claims enable row level security;
revoke all on public.report_claims from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.report_claims to service_role;
create policy report_claims_service_role on public.report_claims to service_role using (true) with check (true);
grant select on public.report_claims to authenticated;
create policy report_claims_select on public.report_claims for select to authenticated
  using ((select public.reads_reports()));

-- Every call of a model for a report, under a key made of what was asked: a resumed report finds the reply here and
-- asks nobody twice. Replies are stored in full; for that reason nobody reads them over the API.
create table public.report_calls (
  report_id uuid not null references public.reports (id) on delete cascade,
  call_key text not null,
  purpose text not null,
  reply jsonb not null,
  -- Why there is no usable reply; the same question is refused for the same reason until a person asks for a retry.
  error_code text,
  provider text not null,
  model text not null,
  -- Number of requests that were sent, with repairs and repeated attempts.
  requests integer not null default 1,
  tokens_in integer not null default 0,
  tokens_out integer not null default 0,
  cost_usd numeric(12, 6) not null default 0,
  created_at timestamptz not null default now(),
  primary key (report_id, call_key)
);
alter table public.report_calls enable row level security;
revoke all on public.report_calls from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.report_calls to service_role;
create policy report_calls_service_role on public.report_calls to service_role using (true) with check (true);

create table public.report_versions (
  report_id uuid not null references public.reports (id) on delete cascade,
  version_no integer not null check (version_no >= 1),
  -- Sections, citations and references.
  document jsonb not null,
  origin text not null check (origin in ('synthesis', 'uploaded', 'revision', 'restored', 'edited')),
  made_by uuid references public.profiles (id),
  note text not null default '',
  created_at timestamptz not null default now(),
  primary key (report_id, version_no)
);
alter table public.report_versions enable row level security;
revoke all on public.report_versions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.report_versions to service_role;
create policy report_versions_service_role on public.report_versions to service_role using (true) with check (true);
grant select on public.report_versions to authenticated;
create policy report_versions_select on public.report_versions for select to authenticated
  using ((select public.reads_reports()));

-- Passages that a person took from a report into a document of their own, in its order, each with a note.
create table public.report_excerpts (
  report_id uuid not null,
  claim_id text not null,
  person_id uuid not null references public.profiles (id) on delete cascade,
  -- Among those of the same person and report; there may be gaps.
  position integer not null,
  note text not null default '' check (char_length(note) <= 2000),
  created_at timestamptz not null default now(),
  primary key (report_id, person_id, claim_id),
  foreign key (report_id, claim_id) references public.report_claims (report_id, claim_id) on delete cascade
);
create index report_excerpts_claim on public.report_excerpts (report_id, claim_id);
create index report_excerpts_person on public.report_excerpts (person_id);
alter table public.report_excerpts enable row level security;
revoke all on public.report_excerpts from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.report_excerpts to service_role;
create policy report_excerpts_service_role on public.report_excerpts to service_role using (true) with check (true);
