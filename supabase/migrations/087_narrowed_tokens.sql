-- A token that decides, changes or exports, or holds for more than 30 days, is made by who gives the password again.
-- Nobody was asked for those that there are: they keep what needs no password, and 30 days. One that would keep nothing
-- is revoked. Each is an event that auditors and admins read.

with narrowed as (
  update public.api_tokens
  set scopes = case when scopes <@ array['write', 'exports'] then scopes
                    else array_remove(array_remove(scopes, 'write'), 'exports') end,
      revoked_at = case when scopes <@ array['write', 'exports'] then now() end,
      expires_at = least(expires_at, now() + interval '30 days')
  where revoked_at is null and (expires_at is null or expires_at > now())
    and (scopes && array['write', 'exports'] or expires_at is null or expires_at > now() + interval '30 days')
  returning profile_id, name, scopes, revoked_at
)
insert into public.security_events (kind, subject_id, details)
select case when revoked_at is null then 'token_narrowed' else 'token_revoked' end, profile_id,
  case when revoked_at is null then jsonb_build_object('token', name, 'scopes', to_jsonb(scopes))
       else jsonb_build_object('token', name) end
from narrowed;
