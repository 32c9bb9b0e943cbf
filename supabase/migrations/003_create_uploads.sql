-- Files as they came in. The original is stored before anything reads it.
create table public.upload_batches (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  uploaded_by uuid not null references public.profiles (id),
  -- "These files are one entry": all files of the batch are read as one document, in order.
  one_entry boolean not null default false,
  file_count integer not null default 0 check (file_count >= 0),
  created_at timestamptz not null default now()
);
create index upload_batches_season on public.upload_batches (season_id, created_at desc, id desc);
create index upload_batches_person on public.upload_batches (uploaded_by, created_at desc, id desc);

create table public.uploads (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  batch_id uuid not null references public.upload_batches (id),
  uploaded_by uuid not null references public.profiles (id),
  position integer not null check (position >= 0),
  -- As the browser named it; shown, never used as a path.
  original_filename text not null check (length(original_filename) between 1 and 255),
  -- By content, not by name; null until it was looked into.
  content_type text,
  byte_size bigint not null check (byte_size >= 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  storage_key text not null unique,
  -- The PDF that the pages are read from: the original itself, or what it was converted to or joined into.
  pdf_key text,
  status text not null default 'stored'
    check (status in ('stored', 'analysing', 'split', 'failed', 'duplicate', 'joined')),
  duplicate_of uuid references public.uploads (id),
  -- For a file of a one-entry batch: the upload that carries the joined document.
  joined_into uuid references public.uploads (id),
  error_code text,
  error_message text,
  page_count integer check (page_count >= 0),
  entry_count integer check (entry_count >= 0),
  doc_format text check (doc_format in ('native_text', 'image_only', 'hybrid')),
  structure text check (structure in ('single', 'multi', 'template')),
  doc_class text check (doc_class in
    ('SINGLE_TYPED', 'SINGLE_SCANNED', 'MULTI_PAGE_SINGLE', 'BULK_SCANNED_BATCH', 'MULTI_ENTRY_PARENT')),
  -- When the job was last put on the queue; null or stale is what the reconciler enqueues.
  enqueued_at timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'duplicate') = (duplicate_of is not null)),
  check ((status = 'joined') = (joined_into is not null)),
  check ((status = 'failed') = (error_code is not null))
);
create unique index uploads_one_original on public.uploads (season_id, sha256)
  where duplicate_of is null and joined_into is null;
create index uploads_batch on public.uploads (batch_id, position);
create index uploads_duplicate_of on public.uploads (duplicate_of) where duplicate_of is not null;
create index uploads_joined_into on public.uploads (joined_into) where joined_into is not null;
create index uploads_unsettled on public.uploads (enqueued_at nulls first) where status in ('stored', 'analysing');

alter table public.upload_batches enable row level security;
alter table public.uploads enable row level security;
revoke all on public.upload_batches, public.uploads from anon, authenticated;
grant select on public.upload_batches, public.uploads to authenticated;
create policy upload_batches_select on public.upload_batches for select to authenticated
  using (uploaded_by = (select auth.uid())
    or (select auth.jwt() -> 'app_metadata' ->> 'role') in ('reviewer', 'auditor', 'admin'));
create policy uploads_select on public.uploads for select to authenticated
  using (uploaded_by = (select auth.uid())
    or (select auth.jwt() -> 'app_metadata' ->> 'role') in ('reviewer', 'auditor', 'admin'));
