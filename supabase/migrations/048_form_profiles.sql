-- Forms that admins describe: docs/adr/0035-forms-in-the-database.md. A version never changes; an entry names the version
-- that read it.
create table public.form_profiles (
  id uuid primary key default gen_random_uuid(),
  key text not null check (key ~ '^[a-z][a-z0-9_]{1,39}$'),
  version integer not null check (version >= 1),
  label text not null check (length(label) between 1 and 100),
  kind text not null check (kind in ('form', 'essay_page')),
  -- The profile; see pipeline/profiles/form.py. Not jsonb, which forgets the order of the fields.
  definition json not null check (json_typeof(definition) = 'object'),
  -- The empty form, a PDF in the file store.
  blank_key text,
  status text not null check (status in ('draft', 'active', 'retired')),
  -- Null: the command line.
  made_by uuid references public.profiles (id),
  created_at timestamptz not null default now(),
  -- Who gave it its status last, and when.
  status_by uuid references public.profiles (id),
  status_at timestamptz not null default now(),
  unique (key, version)
);
-- Pages are matched with one version of a form.
create unique index form_profiles_active on public.form_profiles (key) where status = 'active';

-- Another name with every change of the forms: what a process compares with the forms that it has read.
create table public.form_generation (
  id boolean primary key default true check (id),
  name text not null default ''
);
insert into public.form_generation default values;

-- The version of a form of the database that read the entry.
alter table public.submissions add column profile_version integer check (profile_version >= 1);

do $$
declare
  of_table text;
begin
  foreach of_table in array array['form_profiles', 'form_generation']
  loop
    execute format('alter table public.%I enable row level security', of_table);
    execute format('revoke all on public.%I from public, anon, authenticated, service_role', of_table);
    execute format('create policy %I on public.%I to service_role using (true) with check (true)',
      of_table || '_service_role', of_table);
    execute format('grant select, insert, update, delete on public.%I to service_role', of_table);
  end loop;
end
$$;

create function public.begin_form_generation() returns trigger
language plpgsql as $$
begin
  insert into public.form_generation (name) values (gen_random_uuid()::text)
    on conflict (id) do update set name = excluded.name;
  return null;
end
$$;
create trigger form_profiles_changed after insert or update or delete or truncate on public.form_profiles
  for each statement execute function public.begin_form_generation();

create function public.keep_form_version() returns trigger
language plpgsql as $$
begin
  raise exception 'a version of a form never changes' using errcode = 'insufficient_privilege';
end
$$;
create trigger form_profiles_kept before update on public.form_profiles
  for each row when (old.key <> new.key or old.version <> new.version or old.definition::text <> new.definition::text)
  execute function public.keep_form_version();
