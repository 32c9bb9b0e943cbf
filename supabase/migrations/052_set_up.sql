-- The theme that a person chose, and the steps by which a new installation is set up.
alter table public.profiles add column theme text check (theme in ('auto', 'light', 'dark'));

-- Keys of core/models/set_up.py. The row 'whole' says that nobody is led through the steps any more.
create table public.set_up_steps (
  step text primary key check (length(step) between 1 and 40),
  state text not null check (state in ('open', 'trying', 'done', 'passed')),
  -- What the last try found: {"code": …, "params": {…}}.
  result jsonb check (jsonb_typeof(result) = 'object'),
  -- How long that took.
  seconds double precision check (seconds >= 0),
  -- What was read of the sample.
  read_text text,
  actor_id uuid references public.profiles (id),
  changed_at timestamptz not null default now(),
  attempts integer not null default 0 check (attempts >= 0),
  lease_owner text,
  lease_until timestamptz,
  enqueued_at timestamptz
);

-- An installation that people work with is set up.
insert into public.set_up_steps (step, state) select 'whole', 'passed' where exists (select from public.profiles);

do $$
begin
  alter table public.set_up_steps enable row level security;
  revoke all on public.set_up_steps from public, anon, authenticated, service_role;
  create policy set_up_steps_service_role on public.set_up_steps to service_role using (true) with check (true);
  grant select, insert, update, delete on public.set_up_steps to service_role;
end
$$;
