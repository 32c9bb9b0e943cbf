-- The office's own library: documents that reports are researched in, and the passages that quotations are found in.
-- Essays of entries may enter it, without names.

create table public.library_documents (
  id uuid primary key default gen_random_uuid(),
  added_by uuid references public.profiles (id),
  -- Which researcher it is for; essays are approved entries of a season.
  kind text not null check (kind in ('web', 'academic', 'book', 'essay')),
  collection text not null default '',
  title text not null default '',
  authors text[] not null default '{}',
  publisher text,
  year integer check (year between 1000 and 2999),
  url text,
  doi text,
  isbn text,
  -- Which dictionary its passages are searched with.
  language text not null default 'en' check (language in ('en', 'es')),
  original_filename text not null,
  content_type text,
  byte_size bigint not null check (byte_size >= 0),
  sha256 text not null,
  storage_key text not null unique,
  -- Generated or written for the demo; shown as such.
  is_sample boolean not null default false,
  -- Of an essay: the entry that it came from; its passages carry no name.
  submission_id uuid references public.submissions (id) on delete cascade,
  status text not null default 'queued' check (status in ('queued', 'reading', 'ready', 'failed', 'removed')),
  -- Why the work failed; the sentence is made where it is shown.
  error_code text,
  error_params jsonb not null default '{}'::jsonb,
  page_count integer,
  pages_done integer not null default 0,
  char_count integer,
  attempts integer not null default 0,
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  -- How far the vectors of its passages are computed (docs/adr/0040-meaning.md). The vectors are in a schema that
  -- `flask db-upgrade` makes where pgvector is installed: supabase/embeddings.sql.
  embedding text not null default 'none' check (embedding in ('none', 'queued', 'running', 'ready', 'failed')),
  -- Passages whose vectors are stored, of how many.
  passages_embedded integer not null default 0,
  passages_total integer not null default 0,
  -- The embedder's content id.
  embedder text,
  embedding_attempts integer not null default 0,
  embedding_enqueued_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint library_documents_lease_check check ((lease_owner is null) = (lease_until is null))
);
create unique index library_documents_one_original on public.library_documents (sha256) where status <> 'removed';
create unique index library_documents_one_essay on public.library_documents (submission_id)
  where submission_id is not null and status <> 'removed';
create index library_documents_added_by on public.library_documents (added_by);
create index library_documents_waiting on public.library_documents (created_at) where status in ('queued', 'reading');
create index library_documents_embedding on public.library_documents (created_at)
  where embedding in ('queued', 'running');
create index library_documents_list on public.library_documents (kind, created_at, id) where status <> 'removed';
alter table public.library_documents enable row level security;
revoke all on public.library_documents from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.library_documents to service_role;
create policy library_documents_service_role on public.library_documents to service_role
  using (true) with check (true);
-- Without what leads from an essay to its entry.
grant select (id, added_by, kind, collection, title, authors, publisher, year, url, doi, isbn, language,
    original_filename, content_type, byte_size, is_sample, status, error_code, error_params, page_count, pages_done,
    char_count, created_at, updated_at)
  on public.library_documents to authenticated;
create policy library_documents_select on public.library_documents for select to authenticated
  using (status <> 'removed' and (select public.reads_reports()));

-- In order of `position`, the passages are the whole text of a document: nothing between them is left out.
create table public.library_passages (
  document_id uuid not null references public.library_documents (id) on delete cascade,
  position integer not null check (position >= 0),
  page_no integer check (page_no >= 1),
  start_char integer not null check (start_char >= 0),
  end_char integer not null,
  heading text,
  text text not null,
  language text not null check (language in ('en', 'es')),
  search tsvector not null generated always as (
    case language
      when 'es' then to_tsvector('pg_catalog.spanish'::regconfig, coalesce(heading, '') || ' ' || text)
      else to_tsvector('pg_catalog.english'::regconfig, coalesce(heading, '') || ' ' || text)
    end
  ) stored,
  primary key (document_id, position),
  check (end_char >= start_char)
);
create index library_passages_search on public.library_passages using gin (search);
alter table public.library_passages enable row level security;
revoke all on public.library_passages from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.library_passages to service_role;
create policy library_passages_service_role on public.library_passages to service_role using (true) with check (true);
grant select on public.library_passages to authenticated;
create policy library_passages_select on public.library_passages for select to authenticated
  using (exists (select from public.library_documents d where d.id = document_id));

-- Words of essays that could be names: an essay enters the library once a person has decided on each of them.
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
revoke all on public.essay_words from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.essay_words to service_role;
create policy essay_words_service_role on public.essay_words to service_role using (true) with check (true);
