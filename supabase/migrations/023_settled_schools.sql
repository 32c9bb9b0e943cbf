-- What settled entries teach of the season's schools is counted from them, by each run and each decision.
-- Without further columns, so that equal names take the place of one.
create index submissions_settled_school on public.submissions (season_id, school_name)
  where status in ('completed', 'resolved') and school_name is not null;
