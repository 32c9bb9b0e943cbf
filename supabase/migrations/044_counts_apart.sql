-- Days and months also without form, language and provider, and with one of these alone: a page that filters by one
-- of them or by none reads one row for each count instead of one for each combination.
alter table public.orchestrator_counts drop constraint orchestrator_counts_scope_check;
alter table public.orchestrator_counts add constraint orchestrator_counts_scope_check
  check (scope in ('batch', 'school') or scope ~ '^(all_|form_|language_|provider_)?(day|month)$');

insert into public.orchestrator_counts
    (season_id, scope, scope_id, kind, day, keys, profile, language, ocr_provider, number, total, tokens_in, tokens_out,
     cost_usd)
  select c.season_id, a.beginning || c.scope, c.scope_id, c.kind, c.day, c.keys,
    case when a.beginning = 'form_' then c.profile else '' end,
    case when a.beginning = 'language_' then c.language else '' end,
    case when a.beginning = 'provider_' then c.ocr_provider else '' end,
    sum(c.number), sum(c.total), sum(c.tokens_in), sum(c.tokens_out), sum(c.cost_usd)
  from public.orchestrator_counts c
  cross join (values ('all_'), ('form_'), ('language_'), ('provider_')) as a (beginning)
  where c.scope in ('day', 'month')
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9
  on conflict do nothing;

-- Scopes and kinds are far from equally frequent; without knowing it the planner sorts what it could sum at once.
create statistics public.orchestrator_counts_places (dependencies, mcv) on season_id, scope, scope_id, kind
  from public.orchestrator_counts;
analyze public.orchestrator_counts;
