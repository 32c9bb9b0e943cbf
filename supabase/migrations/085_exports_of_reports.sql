-- Files of a version of a report: one for each format, made once for all who read the report and kept like other
-- exports.
alter table public.exports add column report_id uuid references public.reports (id) on delete cascade;
alter table public.exports add column version_no integer check (version_no > 0);
alter table public.exports drop constraint exports_kind_check;
alter table public.exports add constraint exports_kind_check
  check (kind in ('entries', 'judges', 'certificates', 'report'));
alter table public.exports drop constraint exports_format_check;
alter table public.exports add constraint exports_format_check check (
  case when kind = 'report' then format in ('markdown', 'html', 'docx', 'pdf', 'json', 'bibtex', 'csl')
  else format in ('csv', 'xlsx', 'jsonl', 'zip') end);
alter table public.exports add constraint exports_report_check
  check ((kind = 'report') = (report_id is not null) and (report_id is null) = (version_no is null));
create unique index exports_report on public.exports (report_id, version_no, format) where report_id is not null;
