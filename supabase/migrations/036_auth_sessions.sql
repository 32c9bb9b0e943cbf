-- Sign-in by Supabase Auth (docs/adr/0028-supabase-auth.md): what Auth has granted beside a session of the app, and
-- whose account Auth has yet to be told of.

create table public.auth_sessions (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  -- Null between the password and the code of a second factor.
  session_id uuid unique references public.sessions (id) on delete cascade,
  -- Encrypted under a key that SECRET_KEY gives.
  sealed_refresh_token text not null,
  -- When Auth has to be asked again whether the person may be signed in.
  expires_at timestamptz not null,
  -- When it was last asked, by one process at a time.
  tried_at timestamptz,
  -- Since when it has given no answer.
  away_since timestamptz,
  created_at timestamptz not null default now()
);
create index auth_sessions_profile on public.auth_sessions (profile_id);
create index auth_sessions_created on public.auth_sessions (created_at);

alter table public.auth_sessions enable row level security;
revoke all on public.auth_sessions from public, anon, authenticated, service_role;
create policy auth_sessions_service_role on public.auth_sessions to service_role using (true) with check (true);
grant select, insert, update, delete on public.auth_sessions to service_role;

-- The outbox: role or state of the account may be others than Auth was told.
alter table public.profiles add column auth_due boolean not null default false;
create index profiles_auth_due on public.profiles (id) where auth_due;
