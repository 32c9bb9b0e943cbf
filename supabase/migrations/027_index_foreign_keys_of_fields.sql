-- See 026.
create index submission_fields_season on public.submission_fields (season_id);
create index submission_fields_decided_by on public.submission_fields (decided_by) where decided_by is not null;
