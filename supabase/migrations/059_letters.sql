-- Letters that ask for what is missing, and of which batches people have heard: docs/adr/0037-mail.md.

-- What the letters of a season say, as the office wrote it; null and missing keys: services/letters/texts.toml.
create table public.letter_texts (
  season_id uuid primary key references public.seasons (id) on delete cascade,
  office text not null default '',
  -- How the office is reached.
  contact text not null default '',
  -- {language: {subject, body, reminder}}.
  texts jsonb not null default '{}',
  version integer not null default 1,
  changed_by uuid not null references public.profiles (id),
  changed_at timestamptz not null default now()
);

create table public.letters (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id) on delete cascade,
  way text not null check (way in ('mail', 'print')),
  addressed_to text not null check (addressed_to in ('school', 'parent')),
  -- The school's name or the parent's address; empty once a child of the letter was erased, as the text is.
  addressee text not null,
  subject text not null,
  body text not null,
  language text not null check (language in ('en', 'es')),
  answer_until date not null,
  asked_by uuid not null references public.profiles (id),
  asked_at timestamptz not null default now()
);
create index letters_list on public.letters (season_id, asked_at desc, id desc);

-- What a letter asks of one entry. Whether it is still missing is known from the entry.
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

alter table public.mails add column letter_id uuid references public.letters (id) on delete cascade;
create unique index mails_letter on public.mails (letter_id);

-- Where letters to a school go.
alter table public.schools add column if not exists email text;

-- The last state of the batch that people were told of. Of those that are older than notices, nobody is told.
alter table public.upload_batches add column told text check (told in ('waits', 'done'));
update public.upload_batches set told = 'done';
create index upload_batches_untold on public.upload_batches (created_at) where told is distinct from 'done';

do $$
declare
  name text;
begin
  foreach name in array array['letter_texts', 'letters', 'letter_items'] loop
    execute format('alter table public.%I enable row level security', name);
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', name);
    execute format('create policy %I on public.%I to service_role using (true) with check (true)',
      name || '_service_role', name);
    execute format('grant select, insert, update, delete on public.%I to service_role', name);
  end loop;
end
$$;
