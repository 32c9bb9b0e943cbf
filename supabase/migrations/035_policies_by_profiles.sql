-- What another client than the app may do, as docs/adr/0027-row-level-security.md has it for each table. Claims of a token
-- say who somebody is; what that person may see is read from `profiles`, so that who is demoted or closed loses it at
-- once. No client but `service_role` writes anything. The app owns the tables: no policy is asked for it.

-- The id of the person whom the token names, or null: nobody, closed, or of a demo, which has no other clients.
create or replace function public.person_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select id from public.profiles where id = auth.uid() and is_active and not is_demo
$$;

create or replace function public.person_role() returns text
language sql stable security definer set search_path = '' as $$
  select role from public.profiles where id = public.person_id()
$$;

-- The permissions of roles, by the names that they have in services/accounts/roles.py. False for nobody.
create or replace function public.sees_all() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(public.person_role() in ('reviewer', 'auditor', 'admin'), false)
$$;

create or replace function public.oversees() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(public.person_role() in ('auditor', 'admin'), false)
$$;

create or replace function public.reads_reports() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(public.person_role() in ('officer', 'reviewer', 'auditor', 'admin'), false)
$$;

create or replace function public.may_administer() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(public.person_role() = 'admin', false)
$$;

revoke all on function public.person_id(), public.person_role(), public.sees_all(), public.oversees(),
  public.reads_reports(), public.may_administer() from public, anon, authenticated, service_role;
grant execute on function public.person_id(), public.person_role(), public.sees_all(), public.oversees(),
  public.reads_reports(), public.may_administer() to authenticated;

-- Supabase grants everything on a new table to its three roles: taken back here, and for tables to come.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
revoke all on sequence public.review_events_id_seq from public, anon, authenticated, service_role;

do $$
declare
  of_table text;
begin
  foreach of_table in array array[
    'account_tokens', 'api_tokens', 'erasures', 'escalations', 'essay_words', 'field_evidence', 'library_documents',
    'library_passages', 'model_calls', 'orchestrator_daily', 'orchestrator_logs', 'page_ranges', 'pages', 'profiles',
    'recovery_codes', 'report_calls', 'report_claims', 'report_gaps', 'report_passages', 'report_revisions',
    'report_rounds', 'report_sources', 'report_supervisions', 'report_tasks', 'report_versions', 'reports',
    'review_decisions', 'review_events', 'review_suggestion_fields', 'review_suggestions', 'runs', 'school_aliases',
    'schools', 'seasons', 'second_factors', 'security_events', 'sessions', 'submission_fields', 'submissions',
    'upload_batches', 'upload_splits', 'uploads']
  loop
    -- With the rights on the table go those on its columns.
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', of_table);
    execute format('drop policy if exists %I on public.%I', of_table || '_select', of_table);
    execute format('drop policy if exists %I on public.%I', of_table || '_service_role', of_table);
    -- Where `service_role` does not bypass policies, as it does on Supabase. No truncate: it asks no trigger of a row.
    execute format('create policy %I on public.%I to service_role using (true) with check (true)',
      of_table || '_service_role', of_table);
    execute format('grant select, insert, update, delete on public.%I to service_role', of_table);
  end loop;
end
$$;
-- Records that only grow.
revoke update, delete on public.security_events, public.erasures from service_role;
revoke all on function public.purge_security_events(interval) from service_role;

-- Whoever may sign in.
grant select on public.seasons to authenticated;
create policy seasons_select on public.seasons for select to authenticated
  using ((select public.person_id()) is not null);

grant select (id, email, display_name, role, is_active, created_at) on public.profiles to authenticated;
create policy profiles_select on public.profiles for select to authenticated
  using (id = (select public.person_id()) or (select public.may_administer()));

-- One's own files and entries, or those of everybody. Of a file that somebody else sent before, neither the other file
-- nor where any lies is shown; leases, queues and the draw of the blind audit are the app's.
grant select (id, season_id, uploaded_by, one_entry, file_count, created_at) on public.upload_batches to authenticated;
create policy upload_batches_select on public.upload_batches for select to authenticated
  using (uploaded_by = (select public.person_id()) or (select public.sees_all()));

grant select (id, season_id, batch_id, uploaded_by, position, original_filename, content_type, byte_size, status,
    joined_into, error_code, error_params, page_count, entry_count, doc_format, structure, doc_class, created_at,
    updated_at, split_id)
  on public.uploads to authenticated;
create policy uploads_select on public.uploads for select to authenticated
  using (uploaded_by = (select public.person_id()) or (select public.sees_all()));

grant select (id, season_id, batch_id, upload_id, owner_user_id, chunk_index, page_start, page_end, doc_class,
    doc_format, profile, chunk_metadata, status, run_no, version, needs_review, review_reason_codes, missing_fields,
    confidence, ocr_confidence_avg, student_name, school_name, grade, word_count, error_code, error_params, created_at,
    updated_at, search)
  on public.submissions to authenticated;
create policy submissions_select on public.submissions for select to authenticated
  using (owner_user_id = (select public.person_id()) or (select public.sees_all()));

-- What belongs to a file or an entry is seen with it: these queries are under the policies above.
grant select on public.pages, public.submission_fields, public.field_evidence, public.review_events to authenticated;
create policy pages_select on public.pages for select to authenticated
  using (exists (select from public.uploads u where u.id = upload_id));
create policy submission_fields_select on public.submission_fields for select to authenticated
  using (exists (select from public.submissions s where s.id = submission_id));
create policy field_evidence_select on public.field_evidence for select to authenticated
  using (exists (select from public.submission_fields f where f.id = field_id));
create policy review_events_select on public.review_events for select to authenticated
  using (exists (select from public.submissions s where s.id = submission_id));

-- The review desk and the list of schools. A decision that waits for its resume, and holds, are the app's.
grant select on public.schools, public.school_aliases, public.upload_splits, public.review_suggestion_fields,
  public.review_decisions to authenticated;
grant select (id, submission_id, season_id, run_id, proposed_updates, status, version, reason, created_at, resolved_at,
    resolved_by_user_id)
  on public.review_suggestions to authenticated;
grant select (id, submission_id, season_id, run_id, reason, payload, status, version, decided_by, decided_at, created_at)
  on public.escalations to authenticated;
create policy schools_select on public.schools for select to authenticated using ((select public.sees_all()));
create policy school_aliases_select on public.school_aliases for select to authenticated
  using ((select public.sees_all()));
create policy upload_splits_select on public.upload_splits for select to authenticated
  using ((select public.sees_all()));
create policy review_suggestions_select on public.review_suggestions for select to authenticated
  using ((select public.sees_all()));
create policy review_suggestion_fields_select on public.review_suggestion_fields for select to authenticated
  using ((select public.sees_all()));
create policy escalations_select on public.escalations for select to authenticated
  using ((select public.sees_all()));
create policy review_decisions_select on public.review_decisions for select to authenticated
  using ((select public.sees_all()));

-- Statistics, traces and receipts of erasures.
grant select (run_id, submission_id, season_id, run_no, status, outcome, reason, options, tools_used, confidence,
    started_at, settled_at, created_at, shown_early, reopened)
  on public.runs to authenticated;
grant select on public.orchestrator_logs, public.model_calls, public.orchestrator_daily, public.erasures
  to authenticated;
create policy runs_select on public.runs for select to authenticated using ((select public.oversees()));
create policy orchestrator_logs_select on public.orchestrator_logs for select to authenticated
  using ((select public.oversees()));
create policy model_calls_select on public.model_calls for select to authenticated
  using ((select public.oversees()));
create policy orchestrator_daily_select on public.orchestrator_daily for select to authenticated
  using ((select public.oversees()));
create policy erasures_select on public.erasures for select to authenticated using ((select public.oversees()));

-- The library, without what leads from an essay to its entry, and reports.
grant select (id, added_by, kind, collection, title, authors, publisher, year, url, doi, isbn, language,
    original_filename, content_type, byte_size, is_sample, status, error_code, error_params, page_count, pages_done,
    char_count, created_at, updated_at)
  on public.library_documents to authenticated;
create policy library_documents_select on public.library_documents for select to authenticated
  using (status <> 'removed' and (select public.reads_reports()));
grant select on public.library_passages to authenticated;
create policy library_passages_select on public.library_passages for select to authenticated
  using (exists (select from public.library_documents d where d.id = document_id));

grant select (id, season_id, requested_by, origin, query, title, report_type, type_chosen, target_items, language, tier,
    kinds, providers, domains_allowed, domains_denied, allocation, allocation_reasoning, approve_plan, supervise, plan,
    plan_approved_by, plan_approved_at, budget, spent, status, phase, ended_because, error_code, cancel_requested_by,
    cancel_requested_at, current_version, is_sample, version, created_at, started_at, finished_at, updated_at)
  on public.reports to authenticated;
grant select (id, report_id, requested_by, mode, tier, status, first_version, last_version, phase, iterations,
    integrations, ended_because, ended_note, error_code, budget, spent, reasoning, confidence, cancel_requested_by,
    cancel_requested_at, created_at, started_at, finished_at, updated_at)
  on public.report_supervisions to authenticated;
grant select (id, supervision_id, report_id, season_id, iteration, issue, outcome, reasons, reasoning, confidence,
    source_keys, base_version, document, claims, status, version, decided_by, decided_at, reason, edited_document,
    made_version, spent, created_at)
  on public.report_revisions to authenticated;
grant select on public.report_rounds, public.report_tasks, public.report_gaps, public.report_sources,
  public.report_passages, public.report_claims, public.report_versions to authenticated;
do $$
declare
  of_table text;
begin
  foreach of_table in array array['reports', 'report_rounds', 'report_tasks', 'report_gaps', 'report_sources',
    'report_passages', 'report_claims', 'report_versions', 'report_supervisions', 'report_revisions']
  loop
    execute format('create policy %I on public.%I for select to authenticated using ((select public.reads_reports()))',
      of_table || '_select', of_table);
  end loop;
end
$$;
