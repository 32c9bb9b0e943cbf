-- One-time codes of an authenticator beside the password, and codes for when that is lost.

create table public.second_factors (
  profile_id uuid primary key references public.profiles (id) on delete cascade,
  -- Encrypted under a key that SECRET_KEY gives.
  sealed_secret text not null,
  -- Null until the person has shown that the authenticator works.
  confirmed_at timestamptz,
  -- The 30 seconds of the last code that was used: no code is good twice.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table public.recovery_codes (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references public.profiles (id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  unique (profile_id, code_hash)
);

alter table public.second_factors enable row level security;
alter table public.recovery_codes enable row level security;
revoke all on public.second_factors, public.recovery_codes from anon, authenticated;
