-- Erasing what is held of a child: the receipts, the term of retention of a season, and pages that were made blank.

create table public.erasures (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  -- Null: the command line, or the nightly purge.
  actor_id uuid references public.profiles (id),
  reason text not null check (reason in ('asked', 'retention', 'mistake')),
  -- Of the entries that were erased; nothing else is left of them, and no name is kept here.
  submission_ids uuid[] not null check (cardinality(submission_ids) > 0),
  -- How much of each kind: {"fields": 14, …}.
  counts jsonb not null check (jsonb_typeof(counts) = 'object'),
  created_at timestamptz not null default now()
);
create index erasures_newest on public.erasures (created_at desc, id desc);

alter table public.erasures enable row level security;
revoke all on public.erasures from public, anon, authenticated, service_role;
grant select, insert on public.erasures to service_role;

-- For a role that owns the table, to which grants mean nothing.
create function public.keep_erasures() returns trigger
language plpgsql as $$
begin
  raise exception 'erasures only grows' using errcode = 'insufficient_privilege';
end
$$;
create trigger erasures_kept before update or delete on public.erasures
  for each row execute function public.keep_erasures();
create trigger erasures_not_emptied before truncate on public.erasures
  for each statement execute function public.keep_erasures();

-- Days after the end of the season, or after its last decision if that is later. Null: the setting RETENTION_DAYS.
alter table public.seasons add column retention_days integer check (retention_days > 0);

-- Pages that are blank because the entry on them was erased, and when.
alter table public.uploads
  add column erased_pages integer[] not null default '{}',
  add column erased_at timestamptz,
  add constraint uploads_erased_check check ((erased_at is null) = (cardinality(erased_pages) = 0));
