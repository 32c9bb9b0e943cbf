-- The fields that every item of a catalog should have, as the person confirmed them on the form: keys of known
-- fields, else the text as typed. Empty for a narrative, and for catalogs asked for before this migration.
alter table public.reports add column fields text[] not null default '{}' check (cardinality(fields) <= 12);
