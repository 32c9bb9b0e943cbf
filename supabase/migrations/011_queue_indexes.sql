-- The queues of 100,000 items: what a filter looks for is found among what waits, not among all there is.
create index submissions_suggested_school on public.submissions (season_id, school_name) where status = 'suggested';
create index submissions_suggested_grade on public.submissions (season_id, grade) where status = 'suggested';
create index review_suggestions_by_status on public.review_suggestions (season_id, status, created_at, id)
  where status <> 'pending';
create index escalations_by_status on public.escalations (season_id, status, created_at, id)
  where status <> 'pending';
-- Proposed fields without a value: few, and looked for by themselves.
create index review_suggestion_fields_vacant on public.review_suggestion_fields (suggestion_id, name)
  where proposed_value is null;
