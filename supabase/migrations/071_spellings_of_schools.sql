-- Which school each name in the entries of a season means: services and pipeline read it from here alone.
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
create policy school_spellings_service_role on public.school_spellings to service_role using (true) with check (true);
grant select, insert, update, delete on public.school_spellings to service_role;

-- By names and aliases; abbreviations follow with the next change of the list, or within a day.
insert into public.school_spellings (season_id, spelling, school_key, school_id)
  select w.season_id, w.school_name, coalesce(k.name_key, w.key), k.id
  from (select season_id, school_name,
      btrim(regexp_replace(translate(public.folded(school_name), '–—“”', '--""'), '\s+', ' ', 'g')) as key
    from public.submissions where school_name is not null group by 1, 2) w
  left join lateral (
    select s.id, s.name_key from public.schools s
    where s.season_id = w.season_id and (s.name_key = w.key
      or exists (select from public.school_aliases a where a.school_id = s.id and a.alias_key = w.key))
    order by s.name_key = w.key desc limit 1) k on true;
