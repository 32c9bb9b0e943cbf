-- See 026.
create index review_events_season on public.review_events (season_id);
create index review_events_actor on public.review_events (actor_id) where actor_id is not null;
