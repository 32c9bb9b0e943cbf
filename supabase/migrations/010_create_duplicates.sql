-- Entries that may be the same entry: by what they are found, and what was decided (docs/adr/0034-duplicates.md).

-- Keys by which an entry is found when another comes that may be the same.
create table public.duplicate_keys (
  season_id uuid not null references public.seasons (id) on delete cascade,
  key bigint not null,
  submission_id uuid not null references public.submissions (id) on delete cascade,
  primary key (season_id, key, submission_id)
);
create index duplicate_keys_submission on public.duplicate_keys (submission_id);
alter table public.duplicate_keys enable row level security;
revoke all on public.duplicate_keys from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.duplicate_keys to service_role;
create policy duplicate_keys_service_role on public.duplicate_keys to service_role using (true) with check (true);

-- Small maps of the ink on an entry's first pages.
create table public.page_fingerprints (
  submission_id uuid not null references public.submissions (id) on delete cascade,
  -- From 1, within the entry.
  position integer not null check (position >= 1),
  ink bytea not null,
  primary key (submission_id, position)
);
alter table public.page_fingerprints enable row level security;
revoke all on public.page_fingerprints from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.page_fingerprints to service_role;
create policy page_fingerprints_service_role on public.page_fingerprints to service_role
  using (true) with check (true);

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
  -- join: the two are halves of one entry, its form and its essay.
  decision text check (decision in ('keep_first', 'keep_second', 'keep_both', 'replace', 'join')),
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
alter table public.duplicate_pairs enable row level security;
revoke all on public.duplicate_pairs from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.duplicate_pairs to service_role;
create policy duplicate_pairs_service_role on public.duplicate_pairs to service_role using (true) with check (true);
grant select on public.duplicate_pairs to authenticated;
create policy duplicate_pairs_select on public.duplicate_pairs for select to authenticated
  using ((select public.sees_all()));
