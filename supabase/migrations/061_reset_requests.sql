-- Who asks for a new password by mail, until the mail is sent: docs/adr/0037-mail.md. The link is made when it is
-- sent, so that no row holds it. An address without an account makes a row too: to ask takes as long for either.
create table public.reset_requests (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid unique references public.profiles (id) on delete cascade,
  language text not null check (language in ('en', 'es')),
  attempts integer not null default 0 check (attempts >= 0),
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz,
  created_at timestamptz not null default now()
);

do $$
begin
  alter table public.reset_requests enable row level security;
  revoke all on public.reset_requests from public, anon, authenticated, service_role;
  create policy reset_requests_service_role on public.reset_requests to service_role using (true) with check (true);
  grant select, insert, update, delete on public.reset_requests to service_role;
end
$$;
