-- Which value of a proposed field its scorer holds for the likelier one; it decides what is marked at first.
alter table public.review_suggestion_fields
  add column preferred text not null default 'neither' check (preferred in ('proposed', 'as_read', 'neither'));
-- Of earlier proposals only confirmations are known to be held for right: the first reading was surer than any other.
update public.review_suggestion_fields set preferred = 'proposed' where proposed_value = current_value;

-- The value as read may be kept and vouched for, though another one is proposed.
alter table public.review_suggestion_fields drop constraint review_suggestion_fields_decision_check;
alter table public.review_suggestion_fields add constraint review_suggestion_fields_decision_check
  check (decision in ('pending', 'approved', 'edited', 'kept', 'rejected'));
alter table public.review_events drop constraint review_events_kind_check;
alter table public.review_events add constraint review_events_kind_check check (kind in
  ('read', 'completed', 'suggested', 'escalated', 'failed', 'field_approved', 'field_edited', 'field_kept',
   'field_rejected', 'suggestion_decided', 'escalation_resolved', 'rejected', 'edited', 'reopened', 'undone',
   'superseded', 'read_again'));
