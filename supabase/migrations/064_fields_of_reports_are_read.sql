-- Whoever may read a report reads the fields of its catalog as its other columns.
grant select (fields) on public.reports to authenticated;
