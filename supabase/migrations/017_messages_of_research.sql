-- What happened in research and supervision is a code with parameters, {"code": …, "params": {…}}; sentences are made
-- where they are read. Sentences of earlier rows become codes; one that fits no code stays readable as 'legacy'.
create function pg_temp.message(code text, params jsonb default '{}'::jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object('code', code, 'params', params)
$$;

-- Why these researchers were sent.
create function pg_temp.allocation_notes(allocation jsonb) returns jsonb language sql immutable as $$
  with told as (select allocation ->> 'explanation' as text, allocation -> 'model' as model),
  first as (
    select case
      when text like 'As you chose,%' then pg_temp.message('allocation_asked_for')
      when text like 'Nobody chose,%' then pg_temp.message('allocation_by_default')
      when text like 'The model''s proposal could not be used,%' then pg_temp.message('allocation_model_unusable')
      when text like 'As the model proposed,%' then pg_temp.message('allocation_by_model')
      when text like 'The model proposed %' and jsonb_typeof(model) = 'object' then
        pg_temp.message('allocation_by_model_scaled', jsonb_build_object('chosen',
          coalesce((model ->> 'web_count')::integer, 0) + coalesce((model ->> 'academic_count')::integer, 0)
            + coalesce((model ->> 'book_count')::integer, 0), 'most', 3))
      else pg_temp.message('legacy', jsonb_build_object('text', text))
    end as note
    from told where text <> ''
  ),
  others as (
    select found[1] as kind, found[2]::integer as count, found[3] as heir, place
    from told, regexp_matches(text, 'No source for (web|academic|book) research is available(?:; |, nor any other; )'
      || '(\d+) \w+ researchers? (?:will search as (\w+) instead|cannot work)', 'g') with ordinality as m(found, place)
    where text like 'As %' or text like 'Nobody %' or text like 'The model%'
  ),
  notes as (
    select 0 as place, note from first
    union all
    select place, case when heir is null
      then pg_temp.message('allocation_no_source', jsonb_build_object('kind', kind, 'count', count))
      else pg_temp.message('allocation_handed_on',
        jsonb_build_object('kind', kind, 'count', count, 'other_kind', heir))
    end from others
  )
  select coalesce(jsonb_agg(note order by place), '[]'::jsonb) from notes
$$;

update public.reports
set allocation = (allocation - 'explanation') || jsonb_build_object('notes', pg_temp.allocation_notes(allocation))
where allocation ? 'explanation';

-- What is said of a failed report or loop is the label of its error's code.
alter table public.reports drop column error_message;
alter table public.report_supervisions drop column error_message;

-- Gaps: the numbers of those that are about too few; a description is a model's.
alter table public.report_gaps add column have integer, add column wanted integer;

create function pg_temp.gap_numbers(description text) returns integer[] language sql immutable as $$
  select regexp_match(description,
    '^Need more (?:candidates: have|diverse sources:) (\d+)(?: domains)?, want (\d+)$')::integer[]
$$;

create function pg_temp.is_by_rule(description text, candidate text, fields text, topic text) returns boolean
language sql immutable as $$
  select pg_temp.gap_numbers(description) is not null
    or coalesce(description = 'Missing coverage: ' || topic, false)
    or coalesce(description in (candidate || ': missing ' || fields, candidate || ': weak evidence for ' || fields), false)
$$;

create function pg_temp.gap(gap jsonb) returns jsonb language sql immutable as $$
  select case when pg_temp.is_by_rule(gap ->> 'description', gap ->> 'candidate_name',
      (select string_agg(field, ', ' order by place)
        from jsonb_array_elements_text(case when jsonb_typeof(gap -> 'missing_fields') = 'array'
          then gap -> 'missing_fields' else '[]'::jsonb end) with ordinality as f(field, place)),
      gap ->> 'missing_topic')
    then gap || jsonb_build_object('description', '',
      'have', (pg_temp.gap_numbers(gap ->> 'description'))[1],
      'wanted', (pg_temp.gap_numbers(gap ->> 'description'))[2])
    else gap
  end
$$;

update public.report_gaps
set have = (pg_temp.gap_numbers(description))[1], wanted = (pg_temp.gap_numbers(description))[2], description = ''
where pg_temp.is_by_rule(description, candidate_name, array_to_string(missing_fields, ', '), missing_topic);

update public.report_rounds
set memo = jsonb_set(memo, '{gaps}', (
  select jsonb_agg(pg_temp.gap(gap) order by place)
  from jsonb_array_elements(memo -> 'gaps') with ordinality as g(gap, place)
))
where jsonb_typeof(memo -> 'gaps') = 'array' and memo -> 'gaps' <> '[]'::jsonb;

-- Why a gap that a rule found matters.
create function pg_temp.grounds(rationale text) returns jsonb language plpgsql immutable as $$
declare
  parts text[];
begin
  if rationale = 'The plan names it, and the document does not.' then
    return pg_temp.message('planned_not_named');
  elsif rationale = 'The section says less, or cites less, than the others of this document.' then
    return pg_temp.message('section_thin');
  end if;
  parts := regexp_match(rationale,
    '^(\d+) of (\d+) sources on this subject rest on it, and the document does not name it\.$');
  if parts is not null then
    return pg_temp.message('concept_not_named',
      jsonb_build_object('naming', parts[1]::integer, 'sources', parts[2]::integer));
  end if;
  parts := regexp_match(rationale,
    '^(\d+) statements in “(.*)” with a figure, a date or a name have no source\.$');
  if parts is not null then
    return pg_temp.message('claims_unsupported', jsonb_build_object('heading', parts[2], 'count', parts[1]::integer));
  end if;
  parts := regexp_match(rationale, '^“(.*)” speak of it, and nothing in the document brings them together\.$');
  if parts is not null then
    return pg_temp.message('sections_not_joined',
      jsonb_build_object('headings', to_jsonb(string_to_array(parts[1], '”, “'))));
  end if;
  return null;
end
$$;

create function pg_temp.issue(issue jsonb) returns jsonb language sql immutable as $$
  select issue || jsonb_build_object('rationale', '', 'integration_guidance', '',
    'grounds', pg_temp.grounds(issue ->> 'rationale'))
$$;

update public.report_revisions set issue = pg_temp.issue(issue)
where pg_temp.grounds(issue ->> 'rationale') is not null;

update public.report_tasks set brief = jsonb_set(brief, '{issue}', pg_temp.issue(brief -> 'issue'))
where pg_temp.grounds(brief -> 'issue' ->> 'rationale') is not null;

-- Why nothing came of an attempt: what the guard refused, or the code of an error.
alter table public.report_revisions
  add column reasons jsonb not null default '[]'::jsonb check (jsonb_typeof(reasons) = 'array');

create function pg_temp.refusal(told text) returns jsonb language plpgsql immutable as $$
declare
  parts text[];
begin
  if told = 'none of the sources that were found is cited for something new' then
    return pg_temp.message('nothing_new');
  end if;
  parts := regexp_match(told, '^the text has shrunk from (\d+) to (\d+) characters; at least (\d+)% must stay$');
  if parts is not null then
    return pg_temp.message('text_shrunk',
      jsonb_build_object('was', parts[1]::integer, 'now', parts[2]::integer, 'least', parts[3]::integer));
  end if;
  parts := regexp_match(told, '^(citations are gone|these citations name no source|references are gone'
    || '|cited sources are not among the references|sections are gone or empty): (.+)$');
  if parts is not null then
    return case parts[1]
      when 'citations are gone' then
        pg_temp.message('citations_lost', jsonb_build_object('keys', to_jsonb(string_to_array(parts[2], ', '))))
      when 'these citations name no source' then
        pg_temp.message('citations_unknown', jsonb_build_object('keys', to_jsonb(string_to_array(parts[2], ', '))))
      when 'references are gone' then
        pg_temp.message('references_lost', jsonb_build_object('keys', to_jsonb(string_to_array(parts[2], ', '))))
      when 'sections are gone or empty' then
        -- A heading may hold a comma: the list is kept as one.
        pg_temp.message('sections_lost', jsonb_build_object('headings', jsonb_build_array(parts[2])))
      else pg_temp.message('references_missing',
        jsonb_build_object('keys', to_jsonb(string_to_array(parts[2], ', '))))
    end;
  end if;
  return pg_temp.message('legacy', jsonb_build_object('text', told));
end
$$;

update public.report_revisions set reasons = jsonb_build_array(pg_temp.message(explanation))
where explanation <> '' and outcome <> 'refused_by_guard';

update public.report_revisions set reasons = (
  select jsonb_agg(pg_temp.refusal(told) order by place)
  from regexp_split_to_table(explanation, '; (?=citations are|these citations|sections are|references are'
    || '|cited sources|the text has|none of the)') with ordinality as t(told, place)
)
where explanation <> '' and outcome = 'refused_by_guard';

alter table public.report_revisions drop column explanation;
