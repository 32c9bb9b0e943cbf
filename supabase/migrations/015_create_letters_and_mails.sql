-- Letters that ask schools and parents for what is missing, and mails, those that wait and those that were sent
-- (docs/adr/0037-mail.md).

-- The wording of a season's letters, as the office wrote it. What is not here is in the words of the app.
create table public.letter_texts (
  season_id uuid primary key references public.seasons (id) on delete cascade,
  office text not null default '',
  -- How to reach the office.
  contact text not null default '',
  -- {language: {subject, body, reminder}}.
  texts jsonb not null default '{}',
  version integer not null default 1,
  changed_by uuid not null references public.profiles (id),
  changed_at timestamptz not null default now()
);
alter table public.letter_texts enable row level security;
revoke all on public.letter_texts from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.letter_texts to service_role;
create policy letter_texts_service_role on public.letter_texts to service_role using (true) with check (true);

create table public.letters (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id) on delete cascade,
  way text not null check (way in ('mail', 'print')),
  addressed_to text not null check (addressed_to in ('school', 'parent')),
  -- The school's name or the parent's address. Once a child of the letter was erased, it is empty, and so is the text.
  addressee text not null,
  subject text not null,
  body text not null,
  language text not null check (language in ('en', 'es')),
  answer_until date not null,
  asked_by uuid not null references public.profiles (id),
  asked_at timestamptz not null default now()
);
create index letters_list on public.letters (season_id, asked_at desc, id desc);
alter table public.letters enable row level security;
revoke all on public.letters from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.letters to service_role;
create policy letters_service_role on public.letters to service_role using (true) with check (true);

-- What a letter asks of one entry. Whether it is still missing is seen from the entry.
create table public.letter_items (
  id uuid primary key default gen_random_uuid(),
  letter_id uuid not null references public.letters (id) on delete cascade,
  submission_id uuid not null references public.submissions (id) on delete cascade,
  fields text[] not null check (cardinality(fields) > 0),
  -- The last decision by which an answer was entered.
  decision_id uuid references public.review_decisions (id) on delete set null,
  answered_by uuid references public.profiles (id),
  answered_at timestamptz,
  given_up_by uuid references public.profiles (id),
  given_up_at timestamptz,
  unique (letter_id, submission_id),
  check ((answered_at is null) = (answered_by is null)),
  check ((given_up_at is null) = (given_up_by is null))
);
create index letter_items_of on public.letter_items (submission_id);
alter table public.letter_items enable row level security;
revoke all on public.letter_items from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.letter_items to service_role;
create policy letter_items_service_role on public.letter_items to service_role using (true) with check (true);

-- A mail with a link that signs somebody in is never a row: see `reset_requests`.
create table public.mails (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('own_batch_done', 'own_batch_waits', 'any_batch_waits', 'letter')),
  -- Whom a notice is for; null for a letter.
  person_id uuid references public.profiles (id) on delete cascade,
  season_id uuid not null references public.seasons (id) on delete cascade,
  batch_id uuid references public.upload_batches (id) on delete cascade,
  letter_id uuid references public.letters (id) on delete cascade,
  recipient text not null,
  subject text not null,
  body text not null,
  language text not null check (language in ('en', 'es')),
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'cancelled')),
  error_code text,
  error_params jsonb not null default '{}',
  attempts integer not null default 0 check (attempts >= 0),
  -- Not to be sent before this time.
  due_at timestamptz not null default now(),
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((state = 'sent') = (sent_at is not null)),
  check (kind = 'letter' or (person_id is not null and batch_id is not null))
);
-- A person is told once of a batch and its state.
create unique index mails_once on public.mails (batch_id, kind, person_id);
create unique index mails_letter on public.mails (letter_id);
create index mails_due on public.mails (due_at) where state = 'waiting';
create index mails_list on public.mails (created_at desc, id desc);
alter table public.mails enable row level security;
revoke all on public.mails from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.mails to service_role;
create policy mails_service_role on public.mails to service_role using (true) with check (true);
