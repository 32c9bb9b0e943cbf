-- Where a value is from and who stands by it are two things: a confirmed value keeps how it was read. How sure the
-- machine is of it (probability) is shown to people; what decides whether it may pass stays in confidence.
alter table public.submission_fields
  add column probability real check (probability between 0 and 1),
  add column decided_by uuid references public.profiles (id),
  add column decided_at timestamptz,
  add constraint submission_fields_decided check (decided_by is null or decided_at is not null);

alter table public.review_suggestion_fields add column probability real check (probability between 0 and 1);

-- Values that people gave or confirmed before: who it was is in the audit trail.
update public.submission_fields f
  set decided_at = f.updated_at,
    decided_by = (
      select e.actor_id from public.review_events e
      where e.submission_id = f.submission_id and e.field_name = f.name and e.actor_id is not null
      order by e.id desc
      limit 1)
  where f.source = 'person';
