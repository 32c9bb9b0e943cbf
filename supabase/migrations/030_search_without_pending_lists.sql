-- By default such an index gathers new entries in a list, up to 4 MB of it, that each search reads from end to end: after an
-- upload a search of the library took four times as long until the next vacuum. New entries go to their places at once now.
do $$
declare
  one regclass;
begin
  for one in
    select c.oid from pg_class c join pg_am a on a.oid = c.relam
    where a.amname = 'gin' and c.relnamespace = 'public'::regnamespace and c.relkind = 'i'
    order by c.relname
  loop
    execute format('alter index %s set (fastupdate = off)', one);
    perform gin_clean_pending_list(one);
  end loop;
end
$$;
