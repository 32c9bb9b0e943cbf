-- Words of essays that could be names: an essay enters the library once a person has decided on each.

create table public.essay_words (
  submission_id uuid not null references public.submissions (id) on delete cascade,
  -- In lower case, without accents.
  word text not null check (word <> ''),
  -- Null while nobody has decided.
  taken_out boolean,
  decided_by uuid references public.profiles (id),
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (submission_id, word),
  constraint essay_words_decided_check check ((taken_out is null) = (decided_at is null))
);
create index essay_words_waiting on public.essay_words (created_at, submission_id, word) where taken_out is null;
alter table public.essay_words enable row level security;

-- Essays that are in the library still hold names that are found now, and the ids of their entries; each is written
-- anew within a minute. Those that a person removed stay removed.
delete from public.library_passages where document_id in (
  select id from public.library_documents where submission_id is not null and status = 'ready');
update public.library_documents set status = 'removed', error_code = 'entry_withdrawn'
  where submission_id is not null and status = 'ready';
