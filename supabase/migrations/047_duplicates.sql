-- Entries that may be one: docs/adr/0034-duplicates.md.

-- By which an entry is found when another comes that may be the same; see pipeline/duplicates/keys.py.
create table public.duplicate_keys (
  season_id uuid not null references public.seasons (id) on delete cascade,
  key bigint not null,
  submission_id uuid not null references public.submissions (id) on delete cascade,
  primary key (season_id, key, submission_id)
);
create index duplicate_keys_submission on public.duplicate_keys (submission_id);

-- Small maps of the ink of an entry's first pages; see pipeline/duplicates/picture.py.
create table public.page_fingerprints (
  submission_id uuid not null references public.submissions (id) on delete cascade,
  -- From 1, in the entry.
  position integer not null check (position >= 1),
  ink bytea not null,
  primary key (submission_id, position)
);

create table public.duplicate_pairs (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id) on delete cascade,
  first_id uuid not null references public.submissions (id) on delete cascade,
  -- The later one, which waits for the decision.
  second_id uuid not null references public.submissions (id) on delete cascade,
  likenesses text[] not null default '{}',
  strength text not null check (strength in ('possible', 'likely', 'sure')),
  -- Likeness of the essays; null where they cannot be compared.
  essay real check (essay between 0 and 1),
  version integer not null default 1 check (version >= 1),
  decision text check (decision in ('keep_first', 'keep_second', 'keep_both', 'replace')),
  decided_by uuid references public.profiles (id),
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  check (first_id <> second_id),
  constraint duplicate_pairs_decided_check check (
    (decision is null) = (decided_at is null) and (decision is null) = (decided_by is null))
);
-- Two entries are one pair, whichever came first.
create unique index duplicate_pairs_both on public.duplicate_pairs
  (least(first_id, second_id), greatest(first_id, second_id));
create index duplicate_pairs_waiting on public.duplicate_pairs (season_id, created_at, id) where decision is null;
create index duplicate_pairs_first on public.duplicate_pairs (first_id);
create index duplicate_pairs_second on public.duplicate_pairs (second_id);

do $$
declare
  stands text;
begin
  -- Other migrations allow further kinds; whichever comes later keeps those of the other.
  select substr(pg_get_constraintdef(oid), 7) into stands from pg_constraint
    where conrelid = 'public.review_decisions'::regclass and conname = 'review_decisions_kind_check';
  alter table public.review_decisions drop constraint review_decisions_kind_check;
  execute format('alter table public.review_decisions add constraint review_decisions_kind_check '
    'check (%s or kind in (%s))', stands, '''duplicate''');

  select substr(pg_get_constraintdef(oid), 7) into stands from pg_constraint
    where conrelid = 'public.review_events'::regclass and conname = 'review_events_kind_check';
  alter table public.review_events drop constraint review_events_kind_check;
  execute format('alter table public.review_events add constraint review_events_kind_check '
    'check (%s or kind in (%s))', stands, '''duplicate_found'', ''duplicate_decided''');
end
$$;

do $$
declare
  of_table text;
begin
  foreach of_table in array array['duplicate_keys', 'page_fingerprints', 'duplicate_pairs'] loop
    execute format('alter table public.%I enable row level security', of_table);
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', of_table);
    execute format('create policy %I on public.%I to service_role using (true) with check (true)',
      of_table || '_service_role', of_table);
    execute format('grant select, insert, update, delete on public.%I to service_role', of_table);
  end loop;
end
$$;
grant select on public.duplicate_pairs to authenticated;
create policy duplicate_pairs_select on public.duplicate_pairs for select to authenticated
  using ((select public.sees_all()));
