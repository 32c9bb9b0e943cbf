-- Entries that came in one file are all read before any of them goes on: a joint pass decides what they say about
-- each other.

alter table public.runs
  -- The changes that the pass has made to the first reading; null before it has run.
  add column together jsonb,
  drop constraint runs_status_check,
  -- `read`: the first reading is stored, and the pass has not run.
  add constraint runs_status_check check
    (status in ('queued', 'read', 'running', 'interrupted', 'settled', 'superseded', 'failed'));
create index runs_read on public.runs (submission_id) where status = 'read';

alter table public.uploads
  add column together_enqueued_at timestamptz,
  add column together_attempts integer not null default 0 check (together_attempts >= 0);

-- What a value was respelled after: a code and its parameters.
alter table public.submission_fields add column way jsonb;
