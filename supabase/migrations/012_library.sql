-- The office's own library: documents that reports are researched in, and the passages that quotations are found in.

-- Programme officers ask for reports; they see no entries.
alter table public.profiles
  drop constraint profiles_role_check,
  add constraint profiles_role_check check (role in ('uploader', 'officer', 'reviewer', 'auditor', 'admin'));

create table public.library_documents (
  id uuid primary key default gen_random_uuid(),
  added_by uuid references public.profiles (id),
  -- What researcher it is for; essays are approved entries of a season.
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
  -- Of an essay: the entry it came from; its passages carry no name.
  submission_id uuid references public.submissions (id) on delete cascade,
  status text not null default 'queued' check (status in ('queued', 'reading', 'ready', 'failed', 'removed')),
  error_code text,
  error_message text,
  page_count integer,
  pages_done integer not null default 0,
  char_count integer,
  attempts integer not null default 0,
  enqueued_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index library_documents_one_original on public.library_documents (sha256) where status <> 'removed';
create unique index library_documents_one_essay on public.library_documents (submission_id)
  where submission_id is not null and status <> 'removed';
create index library_documents_added_by on public.library_documents (added_by);
create index library_documents_waiting on public.library_documents (created_at) where status in ('queued', 'reading');
create index library_documents_list on public.library_documents (kind, created_at, id) where status <> 'removed';

-- Together, in order of `position`, the passages are the whole text: nothing between them is left out.
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

alter table public.library_documents enable row level security;
alter table public.library_passages enable row level security;
revoke all on public.library_documents, public.library_passages from anon, authenticated;
grant select on public.library_documents, public.library_passages to authenticated;
create policy library_documents_select on public.library_documents for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('officer', 'reviewer', 'auditor', 'admin'));
create policy library_passages_select on public.library_passages for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('officer', 'reviewer', 'auditor', 'admin'));
