-- Why a loop ended, why an attempt was begun, why these researchers were sent: kept as they were said.
alter table public.report_supervisions
  -- What the end rests on: {"code": …, "params": {…}}, or null.
  add column ended_note jsonb check (jsonb_typeof(ended_note) = 'object'),
  -- Content, in the words of the model that decided; '' where rules did.
  add column reasoning text not null default '',
  add column confidence real check (confidence between 0 and 1),
  drop constraint report_supervisions_ended_because_check,
  add constraint report_supervisions_ended_because_check check (ended_because in ('approved', 'nothing_to_compare',
    'max_iterations', 'circuit_breaker', 'no_evidence', 'budget', 'cancelled', 'invalid_decision', 'error'));

alter table public.report_revisions
  add column reasoning text not null default '',
  add column confidence real check (confidence between 0 and 1);

alter table public.reports
  -- Content, in the words of the model that chose the researchers.
  add column allocation_reasoning text not null default '',
  -- A loop over the report begins in the transaction that ends its research.
  add column supervise boolean not null default false;
