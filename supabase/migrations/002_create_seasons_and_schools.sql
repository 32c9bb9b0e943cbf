-- Seasons of the contest, their rules, and the list of schools.

create table public.seasons (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (length(name) between 1 and 100),
  starts_on date,
  ends_on date,
  -- The last day on which an entry is received in time, in the time zone of the office.
  deadline date,
  -- Since when nothing can be handed in any more.
  closed_at timestamptz,
  is_current boolean not null default false,
  -- Required fields by document class, the least number of words of an essay, thresholds; see pipeline/validate.py,
  -- `Policy`.
  policy jsonb not null default '{}'::jsonb check (jsonb_typeof(policy) = 'object'),
  -- Counts the changes of the rules; whoever changes them names the version that they saw.
  version integer not null default 1 check (version >= 1),
  -- Keys of the form profiles in use; empty: all that are built in.
  form_profiles text[] not null default '{}',
  -- Days after the end of the season, or after its last decision if that is later, until its entries are erased. Null:
  -- the setting RETENTION_DAYS.
  retention_days integer check (retention_days > 0),
  created_at timestamptz not null default now(),
  check (ends_on is null or starts_on is null or ends_on >= starts_on)
);
create unique index seasons_one_current on public.seasons (is_current) where is_current;
alter table public.seasons enable row level security;
revoke all on public.seasons from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.seasons to service_role;
create policy seasons_service_role on public.seasons to service_role using (true) with check (true);
grant select on public.seasons to authenticated;
create policy seasons_select on public.seasons for select to authenticated
  using ((select public.person_id()) is not null);

-- Changes of a season's rules: what changed, who changed it and when. Rows are only added.
create table public.policy_changes (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  -- The season's version after the change.
  version integer not null check (version >= 2),
  kind text not null check (kind in ('changed', 'undone', 'opened', 'closed', 'rolled_over')),
  -- By rule, the value before and after: {"complete_confidence": 0.9}; null where the setting is in force.
  before jsonb not null check (jsonb_typeof(before) = 'object'),
  after jsonb not null check (jsonb_typeof(after) = 'object'),
  -- Null: the command line.
  actor_id uuid references public.profiles (id),
  -- The change that this one takes back; none is taken back twice.
  undoes uuid unique references public.policy_changes (id),
  created_at timestamptz not null default now(),
  unique (season_id, version),
  check ((kind = 'undone') = (undoes is not null))
);

-- Grants mean nothing to the owner of a table: this keeps the app too from changing rows.
create function public.keep_policy_changes() returns trigger
language plpgsql as $$
begin
  raise exception 'policy_changes only grows' using errcode = 'insufficient_privilege';
end
$$;
create trigger policy_changes_kept before update or delete on public.policy_changes
  for each row execute function public.keep_policy_changes();
create trigger policy_changes_not_emptied before truncate on public.policy_changes
  for each statement execute function public.keep_policy_changes();
alter table public.policy_changes enable row level security;
revoke all on public.policy_changes from public, anon, authenticated, service_role;
grant select, insert on public.policy_changes to service_role;
create policy policy_changes_service_role on public.policy_changes to service_role using (true) with check (true);
grant select on public.policy_changes to authenticated;
create policy policy_changes_select on public.policy_changes for select to authenticated
  using ((select public.oversees()));

-- The school list of a season, imported by admins.
create table public.schools (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id) on delete cascade,
  name text not null check (length(name) between 1 and 200),
  -- The name folded for matching (case, accents, punctuation).
  name_key text not null,
  city text,
  district text,
  -- Where letters to the school go.
  email text,
  created_at timestamptz not null default now(),
  unique (season_id, name_key)
);
alter table public.schools enable row level security;
revoke all on public.schools from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.schools to service_role;
create policy schools_service_role on public.schools to service_role using (true) with check (true);
grant select on public.schools to authenticated;
create policy schools_select on public.schools for select to authenticated using ((select public.sees_all()));

-- Other names of a school.
create table public.school_aliases (
  id uuid primary key default gen_random_uuid(),
  school_id uuid not null references public.schools (id) on delete cascade,
  alias text not null check (length(alias) between 1 and 200),
  alias_key text not null,
  unique (school_id, alias_key)
);
alter table public.school_aliases enable row level security;
revoke all on public.school_aliases from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.school_aliases to service_role;
create policy school_aliases_service_role on public.school_aliases to service_role using (true) with check (true);
grant select on public.school_aliases to authenticated;
create policy school_aliases_select on public.school_aliases for select to authenticated
  using ((select public.sees_all()));

-- Which school each name in the entries of a season means. Everything that groups entries by school reads it here.
create table public.school_spellings (
  season_id uuid not null references public.seasons (id) on delete cascade,
  -- As it is written in entries.
  spelling text not null,
  -- The same for all spellings of one school: the key of the listed school's name, or else of the spelling itself.
  school_key text not null,
  -- The school of the list.
  school_id uuid references public.schools (id) on delete set null,
  primary key (season_id, spelling)
);
create index school_spellings_key on public.school_spellings (season_id, school_key);
create index school_spellings_school on public.school_spellings (school_id) where school_id is not null;
alter table public.school_spellings enable row level security;
revoke all on public.school_spellings from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.school_spellings to service_role;
create policy school_spellings_service_role on public.school_spellings to service_role using (true) with check (true);
