-- Seasons, people and their tokens.
create table public.seasons (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (length(name) between 1 and 100),
  starts_on date,
  ends_on date,
  is_current boolean not null default false,
  -- Required fields by document class, minimum essay words; see pipeline/validate.py, `Policy`.
  policy jsonb not null default '{}'::jsonb check (jsonb_typeof(policy) = 'object'),
  -- Keys of the form profiles in use; empty means all that are built in.
  form_profiles text[] not null default '{}',
  created_at timestamptz not null default now(),
  check (ends_on is null or starts_on is null or ends_on >= starts_on)
);
create unique index seasons_one_current on public.seasons (is_current) where is_current;

-- A person who may sign in. On Supabase the id is that of auth.users.
create table public.profiles (
  id uuid primary key default gen_random_uuid(),
  email text not null check (position('@' in email) > 1),
  display_name text not null default '',
  role text not null default 'uploader' check (role in ('uploader', 'reviewer', 'auditor', 'admin')),
  -- Null until an invitation is accepted, and where Supabase Auth keeps the password.
  password_hash text,
  is_active boolean not null default true,
  is_demo boolean not null default false,
  -- Raised to end every session of this person.
  session_version integer not null default 1,
  created_at timestamptz not null default now(),
  last_sign_in_at timestamptz
);
create unique index profiles_email on public.profiles (lower(email));

-- Invitations and password resets: the token itself is never stored.
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

create table public.api_tokens (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  token_hash text not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_tokens_profile on public.api_tokens (profile_id);

alter table public.seasons enable row level security;
alter table public.profiles enable row level security;
alter table public.account_tokens enable row level security;
alter table public.api_tokens enable row level security;
revoke all on public.seasons, public.profiles, public.account_tokens, public.api_tokens from anon, authenticated;
grant select on public.seasons to authenticated;
grant select (id, email, display_name, role, is_active, created_at) on public.profiles to authenticated;

create policy seasons_select on public.seasons for select to authenticated using (true);
create policy profiles_select on public.profiles for select to authenticated
  using (id = (select auth.uid()) or (select auth.jwt() -> 'app_metadata' ->> 'role') = 'admin');
