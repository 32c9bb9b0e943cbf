-- What the second reader, a vision model, read for a field, and what both readings mean together
-- (docs/adr/0053-a-second-reader.md).
alter table public.submission_fields
  add column second_value text,
  add column second_verdict text
    check (second_verdict in ('agree', 'differ', 'only_first', 'only_second', 'neither')),
  add check (second_value is null or second_verdict is not null);
