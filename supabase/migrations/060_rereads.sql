-- Entries read anew to compare, without a change of them, after a form or a provider has changed: what differs is
-- shown field by field and taken by a person. See docs/adr/0038-changes-of-many-entries.md.
create table public.rereads (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id) on delete cascade,
  requested_by uuid not null references public.profiles (id),
  -- Which entries, without words that were searched for; null where they were chosen one by one.
  filter jsonb,
  -- As those of a run: ocr_provider, profile.
  options jsonb not null default '{}',
  items_total integer not null default 0 check (items_total >= 0),
  created_at timestamptz not null default now()
);
create index rereads_list on public.rereads (season_id, created_at desc, id desc);

create table public.reread_items (
  id uuid primary key default gen_random_uuid(),
  reread_id uuid not null references public.rereads (id) on delete cascade,
  submission_id uuid not null references public.submissions (id) on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'same', 'differs', 'blocked', 'failed', 'left',
    'taking', 'taken', 'lost', 'undoing', 'undone', 'kept')),
  -- The entry's version when it was compared.
  version integer,
  -- {field: [value that it has, value read anew]} of the fields that differ.
  changes jsonb not null default '{}',
  -- Fields whose value a person gave, which stays.
  decided text[] not null default '{}',
  effect text not null default 'none' check (effect in ('none', 'completes', 'lacks')),
  missing text[] not null default '{}',
  -- Whether an entry that waits for nobody would wait for a person once it is taken.
  waits boolean not null default false,
  -- The new reading, until it is decided on.
  reading jsonb,
  -- The run that it was taken as, and what stood before it.
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

do $$
declare
  name text;
begin
  foreach name in array array['rereads', 'reread_items'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', name);
    execute format('create policy %I on public.%I to service_role using (true) with check (true)',
      name || '_service_role', name);
    execute format('grant select, insert, update, delete on public.%I to service_role', name);
  end loop;
end
$$;
