-- What happened is kept as a code with parameters, {"code": …, "params": {…}}, and no longer as an English sentence.
-- Known sentences become codes; any other text is kept under the code `legacy`, so that nothing is lost.

-- `t`: what was stored. `fields` and `reasons`: what the row knows of missing fields and reason codes.
create function public.message_of_text(t text, fields jsonb, reasons jsonb) returns jsonb
language sql immutable as $$
  select case
    when coalesce(t, '') = '' then null
    when t ~ '^[a-z][a-z_]*$' then jsonb_build_object('code', t, 'params',
      case t when 'still_incomplete' then jsonb_build_object('fields', coalesce(fields, '[]')) else '{}' end)
    when t = 'The form is blank.' then '{"code": "blank_form", "params": {}}'
    when t = 'The limit of steps was reached.' then '{"code": "limit_of_steps", "params": {}}'
    when t = 'Low confidence, and nothing better was found.' then '{"code": "low_confidence", "params": {}}'
    when t = 'Low confidence.' then '{"code": "unsure", "params": {}}'
    when t = 'Nothing to propose on a blank form.' then '{"code": "nothing_on_blank_form", "params": {}}'
    when t = 'Proposed before an interruption.' then '{"code": "proposed_before_interruption", "params": {}}'
    when t = 'Found nothing to propose.' then '{"code": "found_nothing_to_propose", "params": {}}'
    when t = 'A person settled it.' then '{"code": "settled_by_person", "params": {}}'
    when t = 'A person rejected it.' then '{"code": "rejected_by_person", "params": {}}'
    when t = 'Nothing to propose.' then '{"code": "nothing_proposed_for_field", "params": {}}'
    when t = 'Please confirm.' then '{"code": "confirm_as_read", "params": {"problems": []}}'
    when t = 'Made by correcting the split of a file.' then '{"code": "made_by_split", "params": {}}'
    when t = 'The split of the file was corrected.' then '{"code": "split_corrected", "params": {}}'
    when t = 'The correction of the split was taken back.' then '{"code": "split_taken_back", "params": {}}'
    when t ~ '^Proposes: [a-z ,]+\.$' then jsonb_build_object('code', 'proposes', 'params',
      jsonb_build_object('fields', string_to_array(replace(substring(t from '^Proposes: (.+)\.$'), ' ', '_'), ',_')))
    when t ~ '^To be confirmed: [a-z ,]+\.$' then jsonb_build_object('code', 'to_confirm', 'params',
      jsonb_build_object('fields',
        string_to_array(replace(substring(t from '^To be confirmed: (.+)\.$'), ' ', '_'), ',_')))
    when t ~ '^Asked the model for [a-z ,]+; it found nothing in the text\.$' then
      jsonb_build_object('code', 'model_found_nothing', 'params', jsonb_build_object('fields',
        string_to_array(replace(substring(t from '^Asked the model for ([a-z ,]+);'), ' ', '_'), ',_')))
    when t ~ '^Asked the model for [a-z ,]+; it read [a-z ,]+, still to be approved\.$' then
      jsonb_build_object('code', 'model_read', 'params', jsonb_build_object(
        'asked', string_to_array(replace(substring(t from '^Asked the model for ([a-z ,]+);'), ' ', '_'), ',_'),
        'fields', string_to_array(replace(substring(t from '; it read ([a-z ,]+), still'), ' ', '_'), ',_')))
    when t ~ '^The model could not be asked \([a-z_]+\)\.$' then jsonb_build_object('code', 'model_failed',
      'params', jsonb_build_object('technical', substring(t from '\(([a-z_]+)\)')))
    when t ~ '^Everything required was read, nothing is weak, and confidence [0-9.]+ reaches [0-9.]+\.$' then
      jsonb_build_object('code', 'confident', 'params', jsonb_build_object(
        'confidence', substring(t from 'confidence ([0-9.]+) reaches')::numeric,
        'threshold', substring(t from 'reaches ([0-9]+\.?[0-9]*)\.$')::numeric))
    when t like '%: nothing to propose.' then jsonb_build_object('code', 'nothing_to_propose', 'params',
      jsonb_build_object('fields', coalesce(fields, '[]'), 'problems',
        jsonb_build_array(jsonb_build_object('code', 'legacy', 'params', jsonb_build_object('text', t)))))
    when t like '%: needs a decision.' and jsonb_array_length(coalesce(reasons, '[]')) > 0 then
      jsonb_build_object('code', 'needs_decision', 'params', jsonb_build_object('reasons', reasons))
    else jsonb_build_object('code', 'legacy', 'params', jsonb_build_object('text', t))
  end
$$;
revoke all on function public.message_of_text(text, jsonb, jsonb) from public;

-- Runs and what the supervisor did in them.
alter table public.escalations add column message jsonb;
update public.escalations set
  message = coalesce(public.message_of_text(reason, payload -> 'missing_fields', payload -> 'review_reason_codes'),
    '{"code": "legacy", "params": {"text": ""}}');
update public.escalations set payload = jsonb_set(payload, '{reason}', message) where payload ? 'reason';
alter table public.escalations drop column reason;
alter table public.escalations rename column message to reason;
alter table public.escalations alter column reason set not null,
  add constraint escalations_reason_is_a_message check (jsonb_typeof(reason) = 'object' and reason ? 'code');

alter table public.runs add column message jsonb;
update public.runs set message = public.message_of_text(runs.reason, known.fields, known.reasons)
from (
  select r.run_id, e.payload -> 'missing_fields' as fields, e.payload -> 'review_reason_codes' as reasons
  from public.runs r left join public.escalations e on e.run_id = r.run_id
) known
where known.run_id = runs.run_id;
alter table public.runs drop column reason;
alter table public.runs rename column message to reason;
alter table public.runs
  add constraint runs_reason_is_a_message check (jsonb_typeof(reason) = 'object' and reason ? 'code');

alter table public.orchestrator_logs alter column reason type jsonb
  using public.message_of_text(reason, state_json -> 'missing_fields', state_json -> 'review_reason_codes');
alter table public.orchestrator_logs
  add constraint orchestrator_logs_reason_is_a_message check (jsonb_typeof(reason) = 'object' and reason ? 'code');

-- Proposals.
alter table public.review_suggestions alter column reason drop default, alter column reason drop not null;
alter table public.review_suggestions alter column reason type jsonb using public.message_of_text(reason, null, null);
alter table public.review_suggestions
  add constraint review_suggestions_reason_is_a_message check (jsonb_typeof(reason) = 'object' and reason ? 'code');
alter table public.review_suggestion_fields alter column reason type jsonb
  using public.message_of_text(reason, null, null);
alter table public.review_suggestion_fields
  add constraint review_suggestion_fields_reason_is_a_message
  check (jsonb_typeof(reason) = 'object' and reason ? 'code');

-- The audit trail: `reason` is what a person wrote; what the machine says has a column of its own.
alter table public.review_events
  add column message jsonb,
  add constraint review_events_message_is_a_message check (jsonb_typeof(message) = 'object' and message ? 'code');
update public.review_events set message = public.message_of_text(reason, null, null), reason = null
where reason is not null and (actor_id is null or reason in ('Made by correcting the split of a file.',
  'The split of the file was corrected.', 'The correction of the split was taken back.'));
update public.review_events set
  message = jsonb_build_object('code', 'undid', 'params', jsonb_build_object('decision_kind', reason)), reason = null
where kind = 'undone' and reason in ('suggestion', 'escalation', 'edit', 'reopen');

-- What undo restores.
update public.review_decisions set before = jsonb_set(before, '{escalation,reason}',
  public.message_of_text(before #>> '{escalation,reason}', before #> '{escalation,payload,missing_fields}',
    before #> '{escalation,payload,review_reason_codes}'))
where jsonb_typeof(before #> '{escalation,reason}') = 'string' and before #>> '{escalation,reason}' <> '';

-- The roll-up counts by code.
create temporary table counted on commit drop as
  select season_id, day, outcome,
    coalesce(public.message_of_text(reason, null, '["?"]') ->> 'code', '') as reason,
    sum(runs)::integer as runs, sum(tools)::integer as tools
  from public.orchestrator_daily group by 1, 2, 3, 4;
delete from public.orchestrator_daily;
insert into public.orchestrator_daily (season_id, day, outcome, reason, runs, tools)
  select season_id, day, outcome, reason, runs, tools from counted;
drop table counted;

-- Whether something stands in a field that is no value of its kind: it was told from the words of `method`.
alter table public.submission_fields add column unfit boolean not null default false;
update public.submission_fields set unfit = true where value is null and method like '%no grade%';

-- Why work failed: the code and its parameters; the sentence is made where it is shown.
update public.library_documents set error_code = 'not_a_library_document' where error_code = 'not_a_document';
update public.library_documents set error_code = 'no_text_in_document'
  where error_code = 'empty_document' and error_message like 'No text was found%';
do $$
declare
  failing text;
begin
  foreach failing in array array['uploads', 'submissions', 'library_documents'] loop
    execute format('alter table public.%I add column error_params jsonb not null default ''{}''::jsonb', failing);
    execute format('update public.%I set error_code = ''legacy'', error_params = jsonb_build_object(''text'', '
      'error_message) where error_code is null and error_message is not null', failing);
    execute format('alter table public.%I drop column error_message', failing);
  end loop;
end
$$;

drop function public.message_of_text(text, jsonb, jsonb);
