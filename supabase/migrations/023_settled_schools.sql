-- What settled entries teach of the season's schools is counted from them, by each run and each decision.
create index submissions_settled_school on public.submissions (season_id, school_name) include (id)
  where status in ('completed', 'resolved') and school_name is not null;
