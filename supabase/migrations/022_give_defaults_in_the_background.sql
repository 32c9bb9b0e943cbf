-- The values said of an upload are given to its entries by a worker (services/batches/giving.py).
alter table public.batch_defaults
  add column status text not null default 'done' check (status in ('applying', 'done', 'stopped', 'failed')),
  -- Who had them given to entries that were read already; null where there were none.
  add column applied_by uuid references public.profiles (id),
  -- Numbers of entries: of all that were to change, done, changed, and left because somebody had them open.
  add column items_total integer check (items_total >= 0),
  add column items_done integer not null default 0 check (items_done >= 0),
  add column reached integer not null default 0 check (reached >= 0),
  add column held integer not null default 0 check (held >= 0),
  add column error_code text,
  add column error_params jsonb not null default '{}',
  add column attempts integer not null default 0 check (attempts >= 0),
  add column lease_owner text,
  add column lease_until timestamptz,
  add column enqueued_at timestamptz;
create unique index batch_defaults_due on public.batch_defaults (batch_id) where status = 'applying';
create index batch_defaults_failed on public.batch_defaults (created_at) where status = 'failed';
