-- Work on many entries at once: filters that a person keeps, changes that are previewed, applied and taken back as one,
-- and readings anew that are compared (docs/adr/0038-changes-of-many-entries.md).

create table public.saved_filters (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references public.profiles (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  -- What the list of entries is filtered by.
  filter jsonb not null default '{}',
  -- Used where the list is opened without a filter.
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  unique (person_id, name)
);
create unique index saved_filters_default on public.saved_filters (person_id) where is_default;
alter table public.saved_filters enable row level security;
revoke all on public.saved_filters from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.saved_filters to service_role;
create policy saved_filters_service_role on public.saved_filters to service_role using (true) with check (true);

create table public.bulk_changes (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id) on delete cascade,
  requested_by uuid not null references public.profiles (id),
  kind text not null check (kind in ('set', 'rename')),
  field_name text not null,
  -- Of a renaming: the value that is replaced.
  old_value text,
  -- Null empties the field.
  new_value text,
  -- Which entries; null where they were chosen one by one. Words that were searched for are removed once the change is
  -- prepared.
  filter jsonb,
  -- The school of the list that is renamed too.
  school_id uuid references public.schools (id) on delete set null,
  school_renamed boolean not null default false,
  reason text,
  status text not null default 'preparing'
    check (status in ('preparing', 'ready', 'applying', 'done', 'stopped', 'undoing', 'undone', 'failed')),
  items_total integer check (items_total >= 0),
  items_done integer not null default 0 check (items_done >= 0),
  error_code text,
  error_params jsonb not null default '{}',
  attempts integer not null default 0 check (attempts >= 0),
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  undone_at timestamptz,
  undone_by uuid references public.profiles (id)
);
create index bulk_changes_list on public.bulk_changes (season_id, created_at desc, id desc);
create index bulk_changes_due on public.bulk_changes (created_at)
  where status in ('preparing', 'applying', 'undoing');
alter table public.bulk_changes enable row level security;
revoke all on public.bulk_changes from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.bulk_changes to service_role;
create policy bulk_changes_service_role on public.bulk_changes to service_role using (true) with check (true);

create table public.bulk_change_items (
  id uuid primary key default gen_random_uuid(),
  bulk_id uuid not null references public.bulk_changes (id) on delete cascade,
  submission_id uuid not null references public.submissions (id) on delete cascade,
  status text not null default 'chosen'
    check (status in ('chosen', 'same', 'blocked', 'ready', 'changed', 'lost', 'undone', 'kept')),
  -- The entry's version in the preview.
  version integer,
  before_value text,
  after_value text,
  -- What the change does to the entry: it then has all that is required, or lacks something.
  effect text not null default 'none' check (effect in ('none', 'completes', 'lacks')),
  missing text[] not null default '{}',
  -- Why it was not changed, or not changed back.
  reason jsonb,
  unique (bulk_id, submission_id)
);
create index bulk_change_items_open on public.bulk_change_items (bulk_id, status, id);
create index bulk_change_items_submission on public.bulk_change_items (submission_id);
alter table public.bulk_change_items enable row level security;
revoke all on public.bulk_change_items from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.bulk_change_items to service_role;
create policy bulk_change_items_service_role on public.bulk_change_items to service_role
  using (true) with check (true);

-- Entries read anew, without a change of them, after a form or a provider has changed: what differs is shown field by
-- field, and a person takes it or leaves it.
create table public.rereads (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id) on delete cascade,
  requested_by uuid not null references public.profiles (id),
  -- Which entries, without words that were searched for; null where they were chosen one by one.
  filter jsonb,
  -- As the options of a run: ocr_provider, profile.
  options jsonb not null default '{}',
  items_total integer not null default 0 check (items_total >= 0),
  created_at timestamptz not null default now()
);
create index rereads_list on public.rereads (season_id, created_at desc, id desc);
alter table public.rereads enable row level security;
revoke all on public.rereads from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.rereads to service_role;
create policy rereads_service_role on public.rereads to service_role using (true) with check (true);

create table public.reread_items (
  id uuid primary key default gen_random_uuid(),
  reread_id uuid not null references public.rereads (id) on delete cascade,
  submission_id uuid not null references public.submissions (id) on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'same', 'differs', 'blocked', 'failed', 'left',
    'taking', 'taken', 'lost', 'undoing', 'undone', 'kept')),
  -- The entry's version when it was compared.
  version integer,
  -- {field: [value that the entry has, value read anew]} of the fields that differ.
  changes jsonb not null default '{}',
  -- Fields whose value a person gave, which stays.
  decided text[] not null default '{}',
  effect text not null default 'none' check (effect in ('none', 'completes', 'lacks')),
  missing text[] not null default '{}',
  -- An entry that waits for nobody would wait for a person once the new reading is taken.
  waits boolean not null default false,
  -- The new reading, until it is decided on.
  reading jsonb,
  -- The run as which it was taken, and the state of the entry before.
  run_id text,
  before jsonb,
  decided_by uuid references public.profiles (id),
  decided_at timestamptz,
  undone_by uuid references public.profiles (id),
  undone_at timestamptz,
  -- Why it could not be read, compared, taken or taken back.
  reason jsonb,
  attempts integer not null default 0 check (attempts >= 0),
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  created_at timestamptz not null default now(),
  unique (reread_id, submission_id)
);
create index reread_items_status on public.reread_items (reread_id, status, id);
create index reread_items_submission on public.reread_items (submission_id);
create index reread_items_due on public.reread_items (created_at) where status in ('waiting', 'taking', 'undoing');
alter table public.reread_items enable row level security;
revoke all on public.reread_items from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.reread_items to service_role;
create policy reread_items_service_role on public.reread_items to service_role using (true) with check (true);
