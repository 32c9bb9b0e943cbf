-- Folders of scanners that are or were watched: an erasure looks there for the files that were taken or refused, and
-- names in its receipt the folders that it could not reach.
create table public.watched_folders (
  -- Also in a file of the folder: a path may be another folder on another machine.
  id uuid primary key default gen_random_uuid(),
  path text not null check (length(path) between 1 and 4096),
  -- When a watcher began last.
  seen_at timestamptz not null default now()
);

alter table public.watched_folders enable row level security;
revoke all on public.watched_folders from public, anon, authenticated, service_role;
create policy watched_folders_service_role on public.watched_folders to service_role using (true) with check (true);
grant select, insert, update, delete on public.watched_folders to service_role;

alter table public.erasures add column not_reached text[] not null default '{}';
