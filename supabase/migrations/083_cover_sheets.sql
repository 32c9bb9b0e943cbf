-- Pages of no entry: separators, class lists, covering letters.

alter table public.pages drop constraint if exists pages_role_check;
alter table public.pages add constraint pages_role_check check (role in
  ('header', 'essay_page', 'continuation', 'instructions', 'blank_form', 'blank_sheet', 'cover_sheet'));
