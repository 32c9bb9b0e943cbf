-- Lists as an office thinks: filters that a person keeps, columns that they chose, and changes of many entries at
-- once, previewed and undone as one. See docs/adr/0038-changes-of-many-entries.md.
create table public.saved_filters (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null references public.profiles (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  -- See services/entries/submission_filter.py.
  filter jsonb not null default '{}',
  -- Opened where the list is opened without a filter.
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  unique (person_id, name)
);
create unique index saved_filters_default on public.saved_filters (person_id) where is_default;

-- The columns of the list of entries that a person chose last.
alter table public.profiles add column list_columns text[];

-- The orders of the list beside the newest first: services/entries/list_order.py.
create index submissions_by_student on public.submissions (season_id, (coalesce(student_name, '')), id);
create index submissions_by_school on public.submissions (season_id, (coalesce(school_name, '')), id);

create table public.bulk_changes (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id) on delete cascade,
  requested_by uuid not null references public.profiles (id),
  kind text not null check (kind in ('set', 'rename')),
  field_name text not null,
  -- Of a rename: the value that is replaced.
  old_value text,
  -- Null empties the field.
  new_value text,
  -- Which entries; null where they were chosen one by one. Words that were searched for go once it is prepared.
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
  -- What the change does: the entry has all that is required now, or lacks something.
  effect text not null default 'none' check (effect in ('none', 'completes', 'lacks')),
  missing text[] not null default '{}',
  -- Why it was not changed, or not undone.
  reason jsonb,
  unique (bulk_id, submission_id)
);
create index bulk_change_items_open on public.bulk_change_items (bulk_id, status, id);
create index bulk_change_items_submission on public.bulk_change_items (submission_id);

do $$
declare
  name text;
begin
  foreach name in array array['saved_filters', 'bulk_changes', 'bulk_change_items'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', name);
    execute format('create policy %I on public.%I to service_role using (true) with check (true)',
      name || '_service_role', name);
    execute format('grant select, insert, update, delete on public.%I to service_role', name);
  end loop;
end
$$;
