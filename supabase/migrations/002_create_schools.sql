-- The school list of a season, imported by admins.
create table public.schools (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id) on delete cascade,
  name text not null check (length(name) between 1 and 200),
  -- The name folded for matching (case, accents, punctuation).
  name_key text not null,
  city text,
  district text,
  created_at timestamptz not null default now(),
  unique (season_id, name_key)
);

create table public.school_aliases (
  id uuid primary key default gen_random_uuid(),
  school_id uuid not null references public.schools (id) on delete cascade,
  alias text not null check (length(alias) between 1 and 200),
  alias_key text not null,
  unique (school_id, alias_key)
);

alter table public.schools enable row level security;
alter table public.school_aliases enable row level security;
revoke all on public.schools, public.school_aliases from anon, authenticated;
grant select on public.schools, public.school_aliases to authenticated;
create policy schools_select on public.schools for select to authenticated using (true);
create policy school_aliases_select on public.school_aliases for select to authenticated using (true);
