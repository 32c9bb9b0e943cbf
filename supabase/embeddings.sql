-- Vectors of texts, in a schema that no API publishes; run by `flask db-upgrade` where the extension pgvector is
-- there (core/llm/embeddings.py), with the number of dimensions in place of the word below. They can be computed
-- anew from the texts: no backup holds them.
create schema if not exists embeddings;
revoke all on schema embeddings from public, anon, authenticated, service_role;

create table if not exists embeddings.passage_embeddings (
  -- SHA-256 of the text.
  content bytea not null check (length(content) = 32),
  -- The embedder's content id.
  model text not null,
  dimensions integer not null,
  vector vector(:dimensions) not null check (vector_dims(vector) = dimensions),
  primary key (content, model)
);

-- Where a text stands: as a part of a passage of the library, or in a report.
create table if not exists embeddings.passage_texts (
  content bytea not null,
  document_id uuid,
  position integer,
  -- 0: the passage below the title of its document; from 1 on: its sentences.
  part integer,
  report_id uuid references public.reports (id) on delete cascade,
  foreign key (document_id, position) references public.library_passages (document_id, position) on delete cascade,
  unique (document_id, position, part),
  unique (report_id, content),
  check (num_nonnulls(document_id, position, part) = case when report_id is null then 3 else 0 end)
);
alter table embeddings.passage_texts add column if not exists id bigint generated always as identity primary key;
create index if not exists passage_texts_content on embeddings.passage_texts (content);
-- What a search reads: the passages, without their sentences, which are ten times as many.
create index if not exists passage_texts_whole on embeddings.passage_texts (content, document_id, position)
  where part = 0;

alter table embeddings.passage_embeddings enable row level security;
alter table embeddings.passage_texts enable row level security;

-- A vector goes with the last text that it belongs to, whatever removed the text: an erasure cannot forget it.
create or replace function embeddings.forget_unused() returns trigger language plpgsql set search_path = '' as $$
begin
  delete from embeddings.passage_embeddings e
  using (select distinct content from gone) g
  where e.content = g.content
    and not exists (select from embeddings.passage_texts t where t.content = g.content);
  return null;
end
$$;
drop trigger if exists forget_unused on embeddings.passage_texts;
create trigger forget_unused after delete on embeddings.passage_texts
  referencing old table as gone for each statement execute function embeddings.forget_unused();
