-- Sessions of browsers are rows, so that one can be ended on the server; tokens of the API name what they may do.

create table public.sessions (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  -- Of the secret in the cookie, which is never stored.
  secret_hash text not null unique,
  -- The account's number at sign-in: raising that one ends the session.
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
revoke all on public.sessions from anon, authenticated;

alter table public.api_tokens
  add column scopes text[] not null default '{read,write,uploads}',
  add constraint api_tokens_scopes_check
    check (cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'uploads']);
create index api_tokens_newest on public.api_tokens (created_at desc, id desc);

-- What one person has handed in within a day.
create index uploads_person on public.uploads (uploaded_by, created_at desc);
