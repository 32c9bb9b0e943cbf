-- What a million entries ask for: counts of entries by school, which the page of schools would otherwise make from all
-- of them, and an index that nothing smaller needed.

-- The record of events by kind: one that is rare would be looked for among all of them.
create index security_events_kind on public.security_events (kind, created_at desc, id desc);

-- How many entries each school has, by grade and status, and what those that wait lack. A change of entries adds rows
-- and never waits for another change: the number of a key is the sum of its rows.
create table public.entry_counts (
  id bigint generated always as identity primary key,
  season_id uuid not null references public.seasons (id) on delete cascade,
  -- No reference: what a person handed in is counted as long as the entries are there.
  owner_user_id uuid not null,
  -- '' where none is known.
  school_name text not null,
  grade text not null,
  status text not null,
  -- What an entry that waits for a person lacks; of others nothing.
  missing_fields text[] not null default '{}',
  number integer not null,
  folded boolean not null default false
);
create index entry_counts_keys on public.entry_counts (season_id, school_name, grade, status, owner_user_id);
create index entry_counts_unfolded on public.entry_counts (id) where not folded;
alter table public.entry_counts enable row level security;
revoke all on public.entry_counts from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.entry_counts to service_role;
create policy entry_counts_service_role on public.entry_counts to service_role using (true) with check (true);
revoke all on sequence public.entry_counts_id_seq from public, anon, authenticated, service_role;

-- Make one row of each key again, one transaction after the other; return how many rows there were of these keys.
create function public.fold_entry_counts() returns bigint language plpgsql set search_path = '' as $$
declare
  before bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('entry_counts', 0));
  with keys as (
    select distinct season_id, owner_user_id, school_name, grade, status, missing_fields from public.entry_counts
    where not folded),
  gone as (
    delete from public.entry_counts e using keys k
    where e.season_id = k.season_id and e.owner_user_id = k.owner_user_id and e.school_name = k.school_name
      and e.grade = k.grade and e.status = k.status and e.missing_fields = k.missing_fields
    returning e.season_id, e.owner_user_id, e.school_name, e.grade, e.status, e.missing_fields, e.number),
  made as (
    insert into public.entry_counts
      (season_id, owner_user_id, school_name, grade, status, missing_fields, number, folded)
    select season_id, owner_user_id, school_name, grade, status, missing_fields, sum(number), true from gone
    group by 1, 2, 3, 4, 5, 6 having sum(number) <> 0)
  select count(*) into before from gone;
  return before;
end
$$;

create function public.count_entries() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into public.entry_counts (season_id, owner_user_id, school_name, grade, status, missing_fields, number)
      select season_id, owner_user_id, coalesce(school_name, ''), coalesce(grade, ''), status,
        case when status in ('suggested', 'escalated') then missing_fields else '{}' end, count(*)
      from fresh group by 1, 2, 3, 4, 5, 6;
  elsif tg_op = 'DELETE' then
    insert into public.entry_counts (season_id, owner_user_id, school_name, grade, status, missing_fields, number)
      select season_id, owner_user_id, coalesce(school_name, ''), coalesce(grade, ''), status,
        case when status in ('suggested', 'escalated') then missing_fields else '{}' end, -count(*)
      from gone group by 1, 2, 3, 4, 5, 6;
    -- What was erased leaves no name of a school behind.
    perform public.fold_entry_counts();
  else
    insert into public.entry_counts (season_id, owner_user_id, school_name, grade, status, missing_fields, number)
      select season_id, owner_user_id, coalesce(school_name, ''), coalesce(grade, ''), status,
        case when status in ('suggested', 'escalated') then missing_fields else '{}' end, sum(n)
      from (
        select season_id, owner_user_id, school_name, grade, status, missing_fields, 1 as n from fresh
        union all select season_id, owner_user_id, school_name, grade, status, missing_fields, -1 from gone) changed
      group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0;
  end if;
  return null;
end
$$;
revoke all on function public.count_entries(), public.fold_entry_counts() from public, anon, authenticated;
grant execute on function public.fold_entry_counts() to service_role;

-- Last, since nothing can be written into `submissions` from here on to the end: a second or two at a million entries.
create trigger submissions_counted after insert on public.submissions
  referencing new table as fresh for each statement execute function public.count_entries();
create trigger submissions_recounted after update on public.submissions
  referencing old table as gone new table as fresh for each statement execute function public.count_entries();
create trigger submissions_uncounted after delete on public.submissions
  referencing old table as gone for each statement execute function public.count_entries();
insert into public.entry_counts (season_id, owner_user_id, school_name, grade, status, missing_fields, number, folded)
  select season_id, owner_user_id, coalesce(school_name, ''), coalesce(grade, ''), status,
    case when status in ('suggested', 'escalated') then missing_fields else '{}' end, count(*), true
  from public.submissions group by 1, 2, 3, 4, 5, 6;
