-- Finding entries without accents, by phone number, e-mail address and file name, and with one letter wrong or
-- missing. Plain SQL: the embedded server has neither pg_trgm nor unaccent.

-- An entry's `file_name` follows the name of its file.
create function public.take_file_name() returns trigger language plpgsql set search_path = '' as $$
begin
  select u.original_filename into new.file_name from public.uploads u where u.id = new.upload_id;
  return new;
end
$$;
create trigger submissions_file_name before insert on public.submissions
  for each row execute function public.take_file_name();
create function public.hand_on_file_name() returns trigger language plpgsql set search_path = '' as $$
begin
  update public.submissions set file_name = new.original_filename where upload_id = new.id;
  return null;
end
$$;
create trigger uploads_file_name after update of original_filename on public.uploads
  for each row when (old.original_filename is distinct from new.original_filename)
  execute function public.hand_on_file_name();

-- A word, and each form of it with one letter left out. Two words that have one of these in common differ by one
-- letter: wrong, missing, too many or out of place.
create function public.shortened(word text) returns text[] language sql immutable parallel safe
return (
  select array_agg(distinct w)
  from (select word union all
    select overlay(word placing '' from n for 1) from generate_series(1, length(word)) n) s (w));

-- The words of an entry's names that a search finds with one letter wrong.
create function public.name_words(student text, school text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  found text[] := '{}';
  one text;
begin
  foreach one in array tsvector_to_array(to_tsvector('simple'::regconfig,
    left(public.search_words_of(concat_ws(' ', student, school)), 4000)))
  loop
    if length(one) between 3 and 30 and one !~ '\d' then
      found := found || one;
    end if;
  end loop;
  return found;
end
$$;

revoke all on function public.shortened(text), public.name_words(text, text) from public, anon, authenticated;
grant execute on function public.shortened(text), public.name_words(text, text) to service_role;

-- Each word of a name once, with one of the entries that have it: when that entry loses the word, another that has it
-- takes its place, and with the last entry the word goes.
create table public.search_words (
  word text primary key,
  submission_id uuid not null,
  shortened text[] generated always as (public.shortened(word)) stored
);
create index search_words_shortened on public.search_words using gin (shortened);
create index search_words_submission on public.search_words (submission_id);
alter table public.search_words enable row level security;
revoke all on public.search_words from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.search_words to service_role;
create policy search_words_service_role on public.search_words to service_role using (true) with check (true);

create function public.keep_search_words() returns trigger language plpgsql set search_path = '' as $$
declare
  fresh text[] := '{}';
  gone text;
  other uuid;
begin
  if tg_op <> 'DELETE' then
    fresh := public.name_words(new.student_name, new.school_name);
    insert into public.search_words (word, submission_id) select w, new.id from unnest(fresh) w on conflict do nothing;
  end if;
  if tg_op <> 'INSERT' then
    for gone in select word from public.search_words
      where submission_id = old.id and word <> all (fresh) order by word
    loop
      -- Planned for this word: some are in every second entry, some in none. In the name of a file it does not count.
      execute format('select id from public.submissions where search @@ %L::tsquery and id <> %L
        and %L = any (public.name_words(student_name, school_name)) limit 1',
        '''' || gone || '''', old.id, gone) into other;
      if other is null then
        delete from public.search_words where word = gone;
      else
        update public.search_words set submission_id = other where word = gone;
      end if;
    end loop;
  end if;
  return null;
end
$$;
create trigger submissions_search_words after insert or delete or update of student_name, school_name
  on public.submissions for each row execute function public.keep_search_words();

-- The query for what somebody typed. A word stands for all words that begin with it, digits also for the end of a phone
-- number, an e-mail address for all that begin with it. `near`: at least one of the words stands for words that differ
-- from it by one letter. "" where nothing can be found.
create function public.search_query(looked_for text, near boolean default false) returns tsquery
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
  for i in 1 .. cardinality(exact) loop
    if alike[i] <> '' then
      select string_agg(' & (' || e || case when a <> '' then ' | ' || a else '' end || ')', '') into others
        from unnest(exact, alike) with ordinality w (e, a, n) where n <> i;
      found := found || ' | (' || alike[i] || ')' || coalesce(others, '');
    end if;
  end loop;
  return ltrim(found, ' |')::tsquery;
end
$$;

-- Whether thousands of entries match a query, by the statistics of words of the last ANALYZE. The newest of so many
-- matches are found soonest by going through the list in its order; a few matches among a million are not.
create function public.search_is_common(query tsquery) returns boolean
language sql stable parallel safe set search_path = '' as $$
  select coalesce(array_to_tsvector(array_agg(e.word)) @@ query, false)
  from pg_catalog.pg_class c
    join pg_catalog.pg_stats s on s.schemaname = 'public' and s.tablename = c.relname and s.attname = 'search',
    unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) e (word, share)
  where c.oid = 'public.submissions'::regclass and e.word <> '' and e.share * c.reltuples > 2000
$$;
revoke all on function
  public.search_query(text, boolean), public.search_is_common(tsquery)
  from public, anon, authenticated;
grant execute on function public.search_query(text, boolean), public.search_is_common(tsquery) to service_role;
