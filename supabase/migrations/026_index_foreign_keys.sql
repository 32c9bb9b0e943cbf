-- Every foreign key has an index, or whatever removes the row that it refers to would read its whole table: an entry that is
-- erased its decisions, and whoever removes a person or a season by hand everything. Nullable columns are indexed where they
-- hold something. Not indexed are holds (`claimed_by`): they are written each time an item is opened, which with an index
-- would write to every index of the row. The largest tables have files of their own, so that each is locked only for its own.
create index policy_changes_actor on public.policy_changes (actor_id) where actor_id is not null;
create index batch_defaults_season on public.batch_defaults (season_id);
create index batch_defaults_given_by on public.batch_defaults (given_by);
create index batch_defaults_applied_by on public.batch_defaults (applied_by) where applied_by is not null;
create index uploads_season on public.uploads (season_id);
create index upload_splits_season on public.upload_splits (season_id);
create index upload_splits_actor on public.upload_splits (actor_id);
create index upload_splits_undone_by on public.upload_splits (undone_by) where undone_by is not null;
create index runs_season on public.runs (season_id);
create index orchestrator_logs_owner_user on public.orchestrator_logs (owner_user_id)
  where owner_user_id is not null;
create index review_suggestions_season on public.review_suggestions (season_id);
create index review_suggestions_resolved_by_user on public.review_suggestions (resolved_by_user_id)
  where resolved_by_user_id is not null;
create index review_suggestion_fields_decided_by on public.review_suggestion_fields (decided_by)
  where decided_by is not null;
create index escalations_season on public.escalations (season_id);
create index escalations_decided_by on public.escalations (decided_by) where decided_by is not null;
create index review_decisions_season on public.review_decisions (season_id);
create index review_decisions_submission on public.review_decisions (submission_id);
create index review_decisions_by_actor on public.review_decisions (actor_id);
create index review_decisions_undone_by on public.review_decisions (undone_by) where undone_by is not null;
create index set_asides_season on public.set_asides (season_id);
create index set_asides_created_by on public.set_asides (created_by);
create index duplicate_pairs_season on public.duplicate_pairs (season_id);
create index duplicate_pairs_decided_by on public.duplicate_pairs (decided_by) where decided_by is not null;
create index audits_season on public.audits (season_id);
create index audits_by_auditor on public.audits (auditor_id) where auditor_id is not null;
create index audits_decision on public.audits (decision_id) where decision_id is not null;
create index bulk_changes_requested_by on public.bulk_changes (requested_by);
create index bulk_changes_school on public.bulk_changes (school_id) where school_id is not null;
create index bulk_changes_undone_by on public.bulk_changes (undone_by) where undone_by is not null;
create index rereads_requested_by on public.rereads (requested_by);
create index reread_items_decided_by on public.reread_items (decided_by) where decided_by is not null;
create index reread_items_undone_by on public.reread_items (undone_by) where undone_by is not null;
create index form_profiles_made_by on public.form_profiles (made_by) where made_by is not null;
create index form_profiles_status_by on public.form_profiles (status_by) where status_by is not null;
create index form_drafts_created_by on public.form_drafts (created_by);
create index form_drafts_changed_by on public.form_drafts (changed_by) where changed_by is not null;
create index form_draft_steps_actor on public.form_draft_steps (actor_id) where actor_id is not null;
create index form_samples_requested_by on public.form_samples (requested_by);
create index letter_texts_changed_by on public.letter_texts (changed_by);
create index letters_asked_by on public.letters (asked_by);
create index letter_items_decision on public.letter_items (decision_id) where decision_id is not null;
create index letter_items_answered_by on public.letter_items (answered_by) where answered_by is not null;
create index letter_items_given_up_by on public.letter_items (given_up_by) where given_up_by is not null;
create index mails_person on public.mails (person_id) where person_id is not null;
create index mails_season on public.mails (season_id);
create index library_documents_submission on public.library_documents (submission_id)
  where submission_id is not null;
create index essay_words_decided_by on public.essay_words (decided_by) where decided_by is not null;
create index reports_plan_approved_by on public.reports (plan_approved_by) where plan_approved_by is not null;
create index reports_cancel_requested_by on public.reports (cancel_requested_by)
  where cancel_requested_by is not null;
create index report_versions_made_by on public.report_versions (made_by) where made_by is not null;
create index report_supervisions_cancel_requested_by on public.report_supervisions (cancel_requested_by);
create index report_supervisions_first_version on public.report_supervisions (report_id, first_version);
create index report_supervisions_last_version on public.report_supervisions (report_id, last_version);
create index report_revisions_season on public.report_revisions (season_id);
create index report_revisions_decided_by on public.report_revisions (decided_by) where decided_by is not null;
create index erasures_season on public.erasures (season_id);
create index erasures_actor on public.erasures (actor_id) where actor_id is not null;
create index set_up_steps_actor on public.set_up_steps (actor_id) where actor_id is not null;

-- Old steps are removed by day, of all seasons at once; rows lie in the order of their time.
create index orchestrator_logs_time on public.orchestrator_logs using brin (timestamp);

-- Functions name the schema of what they use, whatever path whoever calls them has set.
alter function public.keep_policy_changes() set search_path = '';
alter function public.keep_form_version() set search_path = '';
alter function public.keep_security_events() set search_path = '';
alter function public.keep_erasures() set search_path = '';
alter function public.shortened(text) set search_path = '';
create or replace function public.begin_form_generation() returns trigger
language plpgsql set search_path = '' as $$
begin
  insert into public.form_generation (name) values (gen_random_uuid()::text)
    on conflict (id) do update set name = excluded.name;
  return null;
end
$$;
