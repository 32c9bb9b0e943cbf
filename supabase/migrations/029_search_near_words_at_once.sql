-- A search for what is near the words was a list of alternatives, one for each word that may be misspelled, and the index
-- went through the words of all of them: a sixth of a second for three common names among a million entries. With each word
-- once it takes about half of that. What has the words themselves is found too, and left out by whoever asks.

-- The query for what somebody typed. A word stands for all words that begin with it, digits also for the end of a phone
-- number, an e-mail address for all that begin with it. `near`: each word stands also for
-- those that differ from it by one letter. "" where nothing can be found, or no word has any like it.
create or replace function public.search_query(looked_for text, near boolean default false) returns tsquery
language plpgsql stable parallel safe set search_path = '' as $$
declare
  given text := public.folded(left(looked_for, 200));
  digits text := regexp_replace(given, '\D', '', 'g');
  token text;
  part text;
  parts text[] := '{}';
  common text[] := '{}';
  exact text[] := '{}';
  alike text[] := '{}';
  others text;
  found text := '';
begin
  foreach token in array regexp_split_to_array(given, '\s+') loop
    if token ~ '.@' then
      parts := parts || left(translate(token, '''\', ''), 64);
    else
      parts := parts || array(
        select left(w, 64) from regexp_split_to_table(translate(token, '''', ''), '[^[:alnum:]]+') w where w <> '');
    end if;
  end loop;
  if cardinality(parts) > 1 then
    -- A word that thousands of entries have stands for itself, not for all that begin with it: those are too many to be
    -- held against the other words in time.
    select coalesce(array_agg(e.word), '{}') into common
      from pg_catalog.pg_class c
      join pg_catalog.pg_stats s on s.schemaname = 'public' and s.tablename = c.relname and s.attname = 'search',
        unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) e (word, share)
      where c.oid = 'public.submissions'::regclass and c.reltuples > 10000
        and e.word = any (parts) and e.share * c.reltuples > 2000;
  end if;
  foreach part in array parts loop
    exact := exact || ('''' || part || case when part = any (common) or part ~ '^\d{1,3}$' then '''' else ''':*' end
      || case when part ~ '^\d{4,}$' then ' | ''+' || left(reverse(part), 10) || ''':*' else '' end);
    others := '';
    if near and length(part) between 4 and 30 and part ~ '^[[:alpha:]]+$' then
      select coalesce(string_agg('''' || s.word || '''', ' | '), '') into others from public.search_words s
        where s.shortened && public.shortened(part) and not starts_with(s.word, part);
    end if;
    alike := alike || others;
  end loop;
  if not near then
    found := '(' || array_to_string(exact, ') & (') || ')';
    if length(digits) >= 4 and given ~ '^[\d\s()+./-]+$' then
      found := found || ' | ''+' || left(reverse(digits), 10) || ''':*';
    end if;
    return case when found = '()' then '' else found end::tsquery;
  end if;
  if array_to_string(alike, '') = '' then
    return '';
  end if;
  select string_agg('(' || e || case when a <> '' then ' | ' || a else '' end || ')', ' & ') into found
    from unnest(exact, alike) w (e, a);
  return found::tsquery;
end
$$;
