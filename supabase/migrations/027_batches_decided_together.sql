-- Once nothing of a batch is left to read, a joint pass over all its entries follows those over its files.

alter table public.upload_batches
  add column lease_owner text,
  add column lease_until timestamptz,
  add column together_enqueued_at timestamptz,
  add column together_attempts integer not null default 0 check (together_attempts >= 0),
  -- When the last pass over the batch ended.
  add column together_at timestamptz,
  add constraint upload_batches_lease_check check ((lease_owner is null) = (lease_until is null));

alter table public.runs
  -- The entry was decided with its file, or alone, and the pass over its batch is still to come.
  add column batch_due boolean not null default false,
  -- The pass over the batch has begun the run, which may complete nothing.
  add column reopened boolean not null default false;
create index runs_batch_due on public.runs (submission_id) where batch_due;
