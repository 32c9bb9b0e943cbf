-- Passages that a person took from a report into a document of their own, in its order, each with a note.
create table public.report_excerpts (
  report_id uuid not null,
  claim_id text not null,
  person_id uuid not null references public.profiles (id) on delete cascade,
  -- Among those of the same person and report; not always without gaps.
  position integer not null,
  note text not null default '' check (char_length(note) <= 2000),
  created_at timestamptz not null default now(),
  primary key (report_id, person_id, claim_id),
  foreign key (report_id, claim_id) references public.report_claims (report_id, claim_id) on delete cascade
);
create index report_excerpts_claim on public.report_excerpts (report_id, claim_id);
create index report_excerpts_person on public.report_excerpts (person_id);

alter table public.report_excerpts enable row level security;
revoke all on public.report_excerpts from public, anon, authenticated, service_role;
create policy report_excerpts_service_role on public.report_excerpts to service_role using (true) with check (true);
grant select, insert, update, delete on public.report_excerpts to service_role;

-- Its files are made as those of versions are, one for each person and format, and made anew when it has changed.
alter table public.exports drop constraint exports_kind_check;
alter table public.exports add constraint exports_kind_check
  check (kind in ('entries', 'judges', 'certificates', 'report', 'own'));
alter table public.exports drop constraint exports_format_check;
alter table public.exports add constraint exports_format_check check (
  case when kind in ('report', 'own') then format in ('markdown', 'html', 'docx', 'pdf', 'json', 'bibtex', 'csl')
  else format in ('csv', 'xlsx', 'jsonl', 'zip') end);
alter table public.exports drop constraint exports_report_check;
alter table public.exports add constraint exports_report_check
  check ((kind in ('report', 'own')) = (report_id is not null) and (kind = 'report') = (version_no is not null));
create unique index exports_own on public.exports (report_id, requested_by, format) where kind = 'own';
