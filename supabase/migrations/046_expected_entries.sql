-- How many entries were sent, as whoever hands them in says; null where nobody said.
alter table public.upload_batches add column expected_entries integer check (expected_entries between 1 and 100000);
grant select (expected_entries) on public.upload_batches to authenticated;
