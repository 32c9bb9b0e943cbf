-- Migrations 006, 013 and 014 were edited after databases had been made with them. This one changes what the earlier
-- texts made into what the present ones make; where the present ones were applied it changes nothing.

-- 006: roles of pages were renamed; no reader has ever written 'other'.
alter table public.pages drop constraint if exists pages_role_check;
update public.pages set role = 'essay_page' where role = 'essay';
update public.pages set role = 'continuation' where role = 'other';
alter table public.pages add constraint pages_role_check check (role in
  ('header', 'essay_page', 'continuation', 'instructions', 'blank_form', 'blank_sheet'));

-- 013
alter table public.report_rounds add column if not exists skipped_because text;
alter table public.report_tasks add column if not exists brief jsonb not null default '{}'::jsonb
  check (jsonb_typeof(brief) = 'object');
alter table public.report_tasks drop constraint if exists report_tasks_round_index_check;
alter table public.report_tasks add constraint report_tasks_round_index_check check (round_index between 1 and 4);
alter table public.report_calls add column if not exists error_code text;
alter table public.report_calls add column if not exists requests integer not null default 1;
alter table public.report_passages drop constraint if exists report_passages_report_id_source_key_fkey;
alter table public.report_passages add constraint report_passages_report_id_source_key_fkey
  foreign key (report_id, source_key) references public.report_sources (report_id, key)
  on delete cascade on update cascade;

-- 014
alter table public.report_supervisions add column if not exists phase text not null default '';
alter table public.report_revisions add column if not exists claims jsonb not null default '[]'::jsonb
  check (jsonb_typeof(claims) = 'array');
alter table public.report_revisions drop constraint if exists report_revisions_status_check;
alter table public.report_revisions add constraint report_revisions_status_check
  check (status in ('none', 'pending', 'accepted', 'edited', 'rejected', 'applied', 'withdrawn'));
