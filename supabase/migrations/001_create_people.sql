-- People and how they sign in: accounts, sessions, tokens, second factors. Also the functions by which row-level
-- security asks who somebody is (docs/adr/0027-row-level-security.md).
--
-- Every table is closed to the roles of Supabase's API except for what its file grants: `service_role` reads and
-- writes rows, `authenticated` reads what its person may see. The app owns the tables; no policy is asked for it.

-- Supabase grants everything on a new table to its roles: not here.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;

-- A person who may sign in. Under Supabase Auth the id is that of auth.users.
create table public.profiles (
  id uuid primary key default gen_random_uuid(),
  email text not null check (position('@' in email) > 1),
  display_name text not null default '',
  -- Programme officers ask for reports and see no entries.
  role text not null default 'uploader' check (role in ('uploader', 'officer', 'reviewer', 'auditor', 'admin')),
  -- Null until an invitation is accepted, and where Supabase Auth keeps the password.
  password_hash text,
  is_active boolean not null default true,
  is_demo boolean not null default false,
  -- Raised to end every session of this person.
  session_version integer not null default 1,
  -- Supabase Auth has not been told yet of a change of the role or the state of this account.
  auth_due boolean not null default false,
  theme text check (theme in ('auto', 'light', 'dark')),
  -- The language of mails to the person, and which notices they want; null: the defaults.
  language text check (language in ('en', 'es')),
  notices text[] check (notices <@ array['own_batch_done', 'own_batch_waits', 'any_batch_waits']),
  -- The columns that the person chose last, for exports and for the list of entries.
  export_columns text[],
  list_columns text[],
  created_at timestamptz not null default now(),
  last_sign_in_at timestamptz
);
create unique index profiles_email on public.profiles (lower(email));
create index profiles_auth_due on public.profiles (id) where auth_due;

-- Who the token of a request names. A token's claims say only whose it is; role and state are read from `profiles`, so
-- that whoever is demoted or closed loses their rights at once.

-- The person's id, or null: unknown, closed, or an account of the demo, which has no clients but the app.
create function public.person_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select id from public.profiles where id = auth.uid() and is_active and not is_demo
$$;

create function public.person_role() returns text
language sql stable security definer set search_path = '' as $$
  select role from public.profiles where id = public.person_id()
$$;

-- Permissions of roles, under the names that they have in the app. False for nobody.
create function public.sees_all() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(public.person_role() in ('reviewer', 'auditor', 'admin'), false)
$$;

create function public.oversees() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(public.person_role() in ('auditor', 'admin'), false)
$$;

create function public.reads_reports() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(public.person_role() in ('officer', 'reviewer', 'auditor', 'admin'), false)
$$;

create function public.may_administer() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(public.person_role() = 'admin', false)
$$;

revoke all on function public.person_id(), public.person_role(), public.sees_all(), public.oversees(),
  public.reads_reports(), public.may_administer() from public, anon, authenticated, service_role;
grant execute on function public.person_id(), public.person_role(), public.sees_all(), public.oversees(),
  public.reads_reports(), public.may_administer() to authenticated;

alter table public.profiles enable row level security;
revoke all on public.profiles from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.profiles to service_role;
create policy profiles_service_role on public.profiles to service_role using (true) with check (true);
grant select (id, email, display_name, role, is_active, created_at) on public.profiles to authenticated;
create policy profiles_select on public.profiles for select to authenticated
  using (id = (select public.person_id()) or (select public.may_administer()));

-- Invitations and password resets. The token itself is never stored.
create table public.account_tokens (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  purpose text not null check (purpose in ('invitation', 'password_reset')),
  token_hash text not null unique,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index account_tokens_profile on public.account_tokens (profile_id);
alter table public.account_tokens enable row level security;
revoke all on public.account_tokens from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.account_tokens to service_role;
create policy account_tokens_service_role on public.account_tokens to service_role using (true) with check (true);

-- Requests for a new password by mail, until the mail is sent (docs/adr/0037-mail.md). The link is made at the moment
-- of sending, so that no row holds it. An address without an account makes a row too: the answer takes equally long.
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
alter table public.reset_requests enable row level security;
revoke all on public.reset_requests from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.reset_requests to service_role;
create policy reset_requests_service_role on public.reset_requests to service_role using (true) with check (true);

-- Sessions of browsers. They are rows so that the server can end one.
create table public.sessions (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  -- Of the secret in the cookie, which is never stored.
  secret_hash text not null unique,
  -- The account's `session_version` at sign-in: raising that number ends the session.
  session_version integer not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- When the person last gave the password.
  confirmed_at timestamptz not null default now(),
  ended_at timestamptz,
  address_family text not null default '' check (address_family in ('', 'here', 'ipv4', 'ipv6')),
  user_agent text not null default '' check (length(user_agent) <= 100)
);
create index sessions_profile on public.sessions (profile_id, created_at desc, id desc);
create index sessions_last_seen on public.sessions (last_seen_at);
alter table public.sessions enable row level security;
revoke all on public.sessions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.sessions to service_role;
create policy sessions_service_role on public.sessions to service_role using (true) with check (true);

-- What Supabase Auth has granted for a session of the app (docs/adr/0028-supabase-auth.md).
create table public.auth_sessions (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  -- Null between the password and the code of a second factor.
  session_id uuid unique references public.sessions (id) on delete cascade,
  -- Encrypted under a key derived from SECRET_KEY.
  sealed_refresh_token text not null,
  -- When Auth has to be asked again whether the person may be signed in.
  expires_at timestamptz not null,
  -- When Auth was last asked; one process asks at a time.
  tried_at timestamptz,
  -- Since when Auth has not answered.
  away_since timestamptz,
  created_at timestamptz not null default now()
);
create index auth_sessions_profile on public.auth_sessions (profile_id);
create index auth_sessions_created on public.auth_sessions (created_at);
alter table public.auth_sessions enable row level security;
revoke all on public.auth_sessions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.auth_sessions to service_role;
create policy auth_sessions_service_role on public.auth_sessions to service_role using (true) with check (true);

-- One-time codes of an authenticator, asked for beside the password.
create table public.second_factors (
  profile_id uuid primary key references public.profiles (id) on delete cascade,
  -- Encrypted under a key derived from SECRET_KEY.
  sealed_secret text not null,
  -- Null until the person has shown that the authenticator works.
  confirmed_at timestamptz,
  -- The interval of 30 seconds of the last code that was used: each code is good once.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
alter table public.second_factors enable row level security;
revoke all on public.second_factors from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.second_factors to service_role;
create policy second_factors_service_role on public.second_factors to service_role using (true) with check (true);

-- Codes for a lost authenticator; each is good once.
create table public.recovery_codes (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  unique (profile_id, code_hash)
);
alter table public.recovery_codes enable row level security;
revoke all on public.recovery_codes from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.recovery_codes to service_role;
create policy recovery_codes_service_role on public.recovery_codes to service_role using (true) with check (true);

-- Tokens of the API.
create table public.api_tokens (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  token_hash text not null unique,
  -- What a client with the token may do.
  scopes text[] not null default '{read,write,uploads}',
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  constraint api_tokens_scopes_check
    check (cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'uploads', 'exports'])
);
create index api_tokens_profile on public.api_tokens (profile_id);
create index api_tokens_newest on public.api_tokens (created_at desc, id desc);
alter table public.api_tokens enable row level security;
revoke all on public.api_tokens from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.api_tokens to service_role;
create policy api_tokens_service_role on public.api_tokens to service_role using (true) with check (true);
