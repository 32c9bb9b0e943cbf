-- Two halves of one entry, its form and its essay, are joined.
do $$
declare
  found text;
begin
  -- It was named by the server.
  select conname into strict found from pg_constraint
    where conrelid = 'public.duplicate_pairs'::regclass and contype = 'c'
      and pg_get_constraintdef(oid) like '%keep_first%';
  execute format('alter table public.duplicate_pairs drop constraint %I', found);
end
$$;
alter table public.duplicate_pairs add constraint duplicate_pairs_decision_check
  check (decision in ('keep_first', 'keep_second', 'keep_both', 'replace', 'join'));
