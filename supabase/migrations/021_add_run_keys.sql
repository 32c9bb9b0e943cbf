-- Finds copies of a text in the library: for each run of eight words in a passage, and of such that go on in the next
-- ones, a hash of words in it (services/library/copies.py). Null where it is not computed yet: the nightly purge does.
alter table public.library_passages add column run_keys integer[];
create index library_passages_run_keys on public.library_passages using gin (run_keys);
create index library_passages_without_keys on public.library_passages (document_id) where run_keys is null;
