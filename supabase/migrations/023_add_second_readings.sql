-- What the second reader, a vision model, read for a field, and whether the two agree
-- (docs/adr/0053-a-second-reader.md).
alter table public.submission_fields
  add column second_value text,
  add column second_agreement text
    check (second_agreement in ('agree', 'differ', 'only_first', 'only_second', 'neither')),
  add check (second_value is null or second_agreement is not null);
