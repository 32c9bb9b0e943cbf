-- Entries that were completed only because two readers agree (docs/adr/0053-a-second-reader.md): a stratum of their own in
-- the blind audits, and how each run would have ended with the rule the other way.

-- Null where the rule makes no difference, 0 where a field would be weak.
alter table public.runs add column confidence_otherwise real check (confidence_otherwise between 0 and 1);
grant select (confidence_otherwise) on public.runs to authenticated;
create index runs_otherwise on public.runs (season_id) where confidence_otherwise is not null;

alter table public.audit_strata add column by_agreement boolean not null default false;
alter table public.audit_strata drop constraint audit_strata_pkey;
alter table public.audit_strata add primary key (season_id, form, language, provider, band, by_agreement);

alter table public.audits add column by_agreement boolean not null default false;
grant select (by_agreement) on public.audits to authenticated;
create index audits_by_agreement on public.audits (season_id) where by_agreement;

-- Whether the value counted as sure only because both readers have it.
alter table public.audit_fields add column agreed boolean not null default false;
create index audit_fields_agreed on public.audit_fields (audit_id) where agreed;
