-- What /metrics reads of the last hour (docs/monitoring.md).
create index if not exists model_calls_created on public.model_calls (created_at);
