-- What a file holds beside the pages that were read, as codes with numbers and names.
alter table public.uploads add column notes jsonb not null default '[]'::jsonb;
grant select (notes) on public.uploads to authenticated;
