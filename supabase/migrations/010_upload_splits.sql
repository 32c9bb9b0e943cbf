-- A person's correction of where entries begin and end. The originals stay as they came in: the planned pages are
-- put into one derived file, an upload of the same batch, and the entries they were part of are superseded.
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
  -- How each entry stood that was superseded: [{"submission_id": …, "status": …, "version": …, "runs": …, …}].
  superseded jsonb not null default '[]'::jsonb check (jsonb_typeof(superseded) = 'array'),
  -- Null: every page of the entries touched is left out.
  made_upload_id uuid references public.uploads (id),
  created_at timestamptz not null default now(),
  undone_at timestamptz,
  undone_by uuid references public.profiles (id),
  check ((status = 'undone') = (undone_at is not null)),
  check ((undone_at is null) = (undone_by is null))
);
create index upload_splits_batch on public.upload_splits (batch_id, created_at);
create index upload_splits_uploads on public.upload_splits using gin (upload_ids);
create index upload_splits_superseded on public.upload_splits using gin (superseded jsonb_path_ops);
create index upload_splits_made on public.upload_splits (made_upload_id) where made_upload_id is not null;

alter table public.uploads
  -- Set for a derived file; its row is the outbox of the work, like that of any file.
  add column split_id uuid references public.upload_splits (id),
  drop constraint uploads_status_check,
  -- A derived file whose split was taken back is superseded.
  add constraint uploads_status_check
    check (status in ('stored', 'analysing', 'split', 'failed', 'duplicate', 'joined', 'superseded'));
create index uploads_split_id on public.uploads (split_id) where split_id is not null;
-- Derived files came from nobody: the same bytes may be made twice.
drop index public.uploads_one_original;
create unique index uploads_one_original on public.uploads (season_id, sha256)
  where duplicate_of is null and joined_into is null and split_id is null;

alter table public.upload_splits enable row level security;
revoke all on public.upload_splits from anon, authenticated;
grant select on public.upload_splits to authenticated;
create policy upload_splits_select on public.upload_splits for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') in ('reviewer', 'auditor', 'admin'));
