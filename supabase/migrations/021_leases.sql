-- Files and documents of the library are worked on under a lease, as runs and reports are.

alter table public.uploads
  add column lease_owner text,
  add column lease_until timestamptz,
  add constraint uploads_lease_check check ((lease_owner is null) = (lease_until is null));

alter table public.library_documents
  add column lease_owner text,
  add column lease_until timestamptz,
  add constraint library_documents_lease_check check ((lease_owner is null) = (lease_until is null));
