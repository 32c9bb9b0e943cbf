-- Since when a person has an item open without a break; for the time that a decision took, where the office measures it.
alter table public.review_suggestions add column held_since timestamptz;
alter table public.escalations add column held_since timestamptz;

-- Nothing reads it any more: statistics are read from orchestrator_counts (037).
drop table public.orchestrator_daily;
