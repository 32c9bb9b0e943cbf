-- Entries that a reviewer has set aside: something is asked of the school or the family, or the entry is parked with a
-- note. It is back in the queue once `until` has passed, or an answer has come; no job is needed for that.
create table public.set_asides (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.submissions (id) on delete cascade,
  season_id uuid not null references public.seasons (id) on delete cascade,
  kind text not null check (kind in ('asked', 'parked')),
  -- What is asked for, in the order of the form.
  fields text[] not null default '{}',
  note text check (char_length(note) <= 2000),
  until timestamptz not null,
  created_by uuid not null references public.profiles (id),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_why text check (ended_why in ('settled', 'answered', 'replaced', 'rejected', 'superseded', 'taken_back')),
  check ((ended_at is null) = (ended_why is null)),
  check (kind = 'parked' or cardinality(fields) > 0)
);
-- One that stands for each entry; the queue asks this index alone.
create unique index set_asides_open on public.set_asides (submission_id) include (until) where ended_at is null;
create index set_asides_list on public.set_asides (season_id, until) where ended_at is null;
create index set_asides_submission on public.set_asides (submission_id);

do $$
begin
  alter table public.set_asides enable row level security;
  revoke all on public.set_asides from public, anon, authenticated, service_role;
  create policy set_asides_service_role on public.set_asides to service_role using (true) with check (true);
  grant select, insert, update, delete on public.set_asides to service_role;
end
$$;

-- Required fields that a person has accepted as they are, with a reason that stands in the history.
alter table public.submissions add column waived text[] not null default '{}';

do $$
declare
  stands text;
begin
  select substr(pg_get_constraintdef(oid), 7) into stands from pg_constraint
    where conrelid = 'public.review_events'::regclass and conname = 'review_events_kind_check';
  alter table public.review_events drop constraint review_events_kind_check;
  execute format('alter table public.review_events add constraint review_events_kind_check check (%s or kind in (%s))',
    stands, '''asked'', ''parked'', ''put_back'', ''waived''');
end
$$;
