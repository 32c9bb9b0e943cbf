-- Mails that wait to be sent, and were: docs/adr/0037-mail.md. No mail with a link that lets somebody in is ever a row.
create table public.mails (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('own_batch_done', 'own_batch_waits', 'any_batch_waits', 'letter')),
  -- Whom a notice is for; null for a letter.
  person_id uuid references public.profiles (id) on delete cascade,
  season_id uuid not null references public.seasons (id) on delete cascade,
  batch_id uuid references public.upload_batches (id) on delete cascade,
  recipient text not null,
  subject text not null,
  body text not null,
  language text not null check (language in ('en', 'es')),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'cancelled')),
  error_code text,
  error_params jsonb not null default '{}',
  attempts integer not null default 0 check (attempts >= 0),
  -- Not before this time.
  due_at timestamptz not null default now(),
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((state = 'sent') = (sent_at is not null)),
  check (kind = 'letter' or (person_id is not null and batch_id is not null))
);
-- A person hears once of a batch and a state.
create unique index mails_once on public.mails (batch_id, kind, person_id);
create index mails_due on public.mails (due_at) where state = 'waiting';
create index mails_list on public.mails (created_at desc, id desc);

-- The language that mails to the person are in, and what they want to hear of; null for the defaults.
alter table public.profiles add column language text check (language in ('en', 'es'));
alter table public.profiles add column notices text[]
  check (notices <@ array['own_batch_done', 'own_batch_waits', 'any_batch_waits']);

do $$
begin
  alter table public.mails enable row level security;
  revoke all on public.mails from public, anon, authenticated, service_role;
  create policy mails_service_role on public.mails to service_role using (true) with check (true);
  grant select, insert, update, delete on public.mails to service_role;
end
$$;
