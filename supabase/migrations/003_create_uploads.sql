-- Files as they came in: batches, files, their pages, corrections of where entries begin and end, and the folders of
-- scanners. An original is stored before anything reads it.

-- What was handed in at once.
create table public.upload_batches (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  uploaded_by uuid not null references public.profiles (id),
  -- "These files are one entry": all files of the batch are read as one document, in order.
  one_entry boolean not null default false,
  file_count integer not null default 0 check (file_count >= 0),
  -- How many entries were sent, as the person who hands them in says; null: not said.
  expected_entries integer check (expected_entries between 1 and 100000),
  -- The day that a person gave for the whole batch, such as that of the postmark.
  received_on date,
  -- The last state of the batch that people were told of by mail.
  told text check (told in ('waits', 'done')),
  -- Once nothing of the batch is left to read, a joint pass compares all its entries; when the last one ended.
  together_at timestamptz,
  together_enqueued_at timestamptz,
  together_attempts integer not null default 0 check (together_attempts >= 0),
  lease_owner text,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  constraint upload_batches_lease_check check ((lease_owner is null) = (lease_until is null))
);
create index upload_batches_season on public.upload_batches (season_id, created_at desc, id desc);
create index upload_batches_person on public.upload_batches (uploaded_by, created_at desc, id desc);
create index upload_batches_untold on public.upload_batches (created_at) where told is distinct from 'done';
alter table public.upload_batches enable row level security;
revoke all on public.upload_batches from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.upload_batches to service_role;
create policy upload_batches_service_role on public.upload_batches to service_role using (true) with check (true);
-- A person sees their own batches, files and entries, or those of everybody.
grant select (id, season_id, uploaded_by, one_entry, file_count, created_at, expected_entries, received_on)
  on public.upload_batches to authenticated;
create policy upload_batches_select on public.upload_batches for select to authenticated
  using (uploaded_by = (select public.person_id()) or (select public.sees_all()));

-- Values for a whole batch that stand where a page gives none (docs/adr/0036-batch-defaults.md): one row a change, of
-- which the one with the highest version is in force.
create table public.batch_defaults (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  batch_id uuid not null references public.upload_batches (id) on delete cascade,
  -- Counts the changes of the batch; whoever changes them names the version that they saw.
  version integer not null check (version >= 1),
  given_by uuid not null references public.profiles (id),
  -- By name of field, and "language": {"school_name": "Juniper School", "grade": "4"}.
  given jsonb not null check (jsonb_typeof(given) = 'object'),
  -- The change that this one takes back; none is taken back twice.
  undoes uuid unique references public.batch_defaults (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (batch_id, version)
);
alter table public.batch_defaults enable row level security;
revoke all on public.batch_defaults from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.batch_defaults to service_role;
create policy batch_defaults_service_role on public.batch_defaults to service_role using (true) with check (true);

-- One row a file. The row is the outbox of its work: the reconciler enqueues what waits here.
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
  -- typed: entered by hand, as the file cannot be read or is a slip that stands for paper. superseded: made by a
  -- correction that was taken back.
  status text not null default 'stored'
    check (status in ('stored', 'analysing', 'split', 'failed', 'duplicate', 'joined', 'superseded', 'typed')),
  duplicate_of uuid references public.uploads (id),
  -- For a file of a one-entry batch: the upload that carries the joined document.
  joined_into uuid references public.uploads (id),
  -- The correction that made this file; null for a file that came in.
  split_id uuid,
  -- Why the work failed; the sentence is made where it is shown.
  error_code text,
  error_params jsonb not null default '{}'::jsonb,
  page_count integer check (page_count >= 0),
  entry_count integer check (entry_count >= 0),
  doc_format text check (doc_format in ('native_text', 'image_only', 'hybrid')),
  structure text check (structure in ('single', 'multi', 'template')),
  doc_class text check (doc_class in
    ('SINGLE_TYPED', 'SINGLE_SCANNED', 'MULTI_PAGE_SINGLE', 'BULK_SCANNED_BATCH', 'MULTI_ENTRY_PARENT')),
  -- What the file holds beside the pages that were read, as codes with numbers and names.
  notes jsonb not null default '[]'::jsonb,
  -- Pages that are blank because the entry on them was erased, and when.
  erased_pages integer[] not null default '{}',
  erased_at timestamptz,
  -- When the job was last put on the queue; the reconciler enqueues what has no time here or an old one.
  enqueued_at timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  lease_owner text,
  lease_until timestamptz,
  -- The same of the joint pass over the entries of the file.
  together_enqueued_at timestamptz,
  together_attempts integer not null default 0 check (together_attempts >= 0),
  -- Seconds that parsing and drawing the file have taken so far, in all jobs; at most PARSE_FILE_SECONDS.
  parse_seconds real not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'duplicate') = (duplicate_of is not null)),
  check ((status = 'joined') = (joined_into is not null)),
  -- A file that was typed in keeps why it could not be read.
  constraint uploads_failed_check check (status = 'typed' or (status = 'failed') = (error_code is not null)),
  constraint uploads_lease_check check ((lease_owner is null) = (lease_until is null)),
  constraint uploads_erased_check check ((erased_at is null) = (cardinality(erased_pages) = 0))
);
-- Files that a correction made came from nobody: the same bytes may be made twice.
create unique index uploads_one_original on public.uploads (season_id, sha256)
  where duplicate_of is null and joined_into is null and split_id is null;
create index uploads_batch on public.uploads (batch_id, position);
-- What one person has handed in within a day.
create index uploads_person on public.uploads (uploaded_by, created_at desc);
create index uploads_duplicate_of on public.uploads (duplicate_of) where duplicate_of is not null;
create index uploads_joined_into on public.uploads (joined_into) where joined_into is not null;
create index uploads_split_id on public.uploads (split_id) where split_id is not null;
create index uploads_unsettled on public.uploads (enqueued_at nulls first) where status in ('stored', 'analysing');
-- The list of failed work, newest first.
create index uploads_failed on public.uploads (updated_at) where status = 'failed';
alter table public.uploads enable row level security;
revoke all on public.uploads from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.uploads to service_role;
create policy uploads_service_role on public.uploads to service_role using (true) with check (true);
-- Where files are stored, and of which file of somebody else one is a duplicate, is not shown; leases and queues are
-- the app's own.
grant select (id, season_id, batch_id, uploaded_by, position, original_filename, content_type, byte_size, status,
    joined_into, error_code, error_params, page_count, entry_count, doc_format, structure, doc_class, created_at,
    updated_at, split_id, notes)
  on public.uploads to authenticated;
create policy uploads_select on public.uploads for select to authenticated
  using (uploaded_by = (select public.person_id()) or (select public.sees_all()));

-- A long file is read by several jobs, each for a range of its pages. The rows are removed once the file is split.
create table public.page_ranges (
  id uuid primary key default gen_random_uuid(),
  upload_id uuid not null references public.uploads (id) on delete cascade,
  first_page integer not null check (first_page >= 1),
  last_page integer not null,
  -- What splitting needs to know of the pages, which includes names; null until they are read.
  outlines jsonb,
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  unique (upload_id, first_page),
  check (last_page >= first_page),
  check ((lease_owner is null) = (lease_until is null))
);
create index page_ranges_unread on public.page_ranges (enqueued_at nulls first) where outlines is null;
alter table public.page_ranges enable row level security;
revoke all on public.page_ranges from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.page_ranges to service_role;
create policy page_ranges_service_role on public.page_ranges to service_role using (true) with check (true);

-- The pages of a file's PDF.
create table public.pages (
  upload_id uuid not null references public.uploads (id) on delete cascade,
  page_no integer not null check (page_no >= 1),
  -- Displayed size in points.
  width real not null check (width > 0),
  height real not null check (height > 0),
  -- Clockwise degrees by which the page was turned to be read; it is shown in the same way.
  turned integer not null default 0,
  -- cover_sheet: a page of no entry, such as a separator, a class list or a covering letter.
  role text not null check (role in
    ('header', 'essay_page', 'continuation', 'instructions', 'blank_form', 'blank_sheet', 'cover_sheet')),
  source text check (source in ('acroform', 'text_layer', 'ocr')),
  -- Why the text layer of the page is not believed.
  distrust text,
  ocr_confidence real check (ocr_confidence between 0 and 1),
  primary key (upload_id, page_no),
  constraint pages_turned check (turned in (0, 90, 180, 270))
);
alter table public.pages enable row level security;
revoke all on public.pages from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.pages to service_role;
create policy pages_service_role on public.pages to service_role using (true) with check (true);
-- What belongs to a file or an entry is seen with it: such queries are subject to the policies of that table.
grant select on public.pages to authenticated;
create policy pages_select on public.pages for select to authenticated
  using (exists (select from public.uploads u where u.id = upload_id));

-- A person's correction of where entries begin and end. The originals stay as they came in: the planned pages are put
-- into a new file, an upload of the same batch, and the entries that they were part of are superseded.
create table public.upload_splits (
  id uuid primary key default gen_random_uuid(),
  season_id uuid not null references public.seasons (id),
  batch_id uuid not null references public.upload_batches (id),
  actor_id uuid not null references public.profiles (id),
  -- The files that the plan is about.
  upload_ids uuid[] not null check (cardinality(upload_ids) > 0),
  -- The entries to be made: [{"submission_id": …, "pages": [{"upload_id": …, "page_no": …, "rotation": …}]}].
  plan jsonb not null check (jsonb_typeof(plan) = 'array'),
  status text not null default 'pending' check (status in ('pending', 'done', 'undone')),
  -- The state of each superseded entry before: [{"submission_id": …, "status": …, "version": …, "runs": …, …}].
  superseded jsonb not null default '[]'::jsonb check (jsonb_typeof(superseded) = 'array'),
  -- Null: every page of the entries touched is left out.
  made_upload_id uuid references public.uploads (id),
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by uuid references public.profiles (id),
  check ((status = 'undone') = (undone_at is not null)),
  check ((undone_at is null) = (undone_by is null))
);
-- Each of the two tables refers to the other.
alter table public.uploads add foreign key (split_id) references public.upload_splits (id);
create index upload_splits_batch on public.upload_splits (batch_id, created_at);
create index upload_splits_uploads on public.upload_splits using gin (upload_ids);
create index upload_splits_superseded on public.upload_splits using gin (superseded jsonb_path_ops);
create index upload_splits_made on public.upload_splits (made_upload_id) where made_upload_id is not null;
alter table public.upload_splits enable row level security;
revoke all on public.upload_splits from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.upload_splits to service_role;
create policy upload_splits_service_role on public.upload_splits to service_role using (true) with check (true);
grant select on public.upload_splits to authenticated;
create policy upload_splits_select on public.upload_splits for select to authenticated
  using ((select public.sees_all()));

-- Folders of scanners that are or were watched: an erasure looks there for the files that were taken or refused, and
-- names in its receipt the folders that it could not reach.
create table public.watched_folders (
  -- Also in a file of the folder: the same path may be another folder on another machine.
  id uuid primary key default gen_random_uuid(),
  path text not null check (length(path) between 1 and 4096),
  -- When a watcher last began.
  seen_at timestamptz not null default now()
);
alter table public.watched_folders enable row level security;
revoke all on public.watched_folders from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.watched_folders to service_role;
create policy watched_folders_service_role on public.watched_folders to service_role using (true) with check (true);
