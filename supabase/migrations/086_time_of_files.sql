-- Seconds that parsing and drawing a file have taken so far, in all jobs that split it: no more than PARSE_FILE_SECONDS.
alter table public.uploads add column parse_seconds real not null default 0;
