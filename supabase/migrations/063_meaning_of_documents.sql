-- How far the vectors of a document's passages are computed: docs/adr/0040-meaning.md. The vectors themselves are in
-- a schema that `flask db-upgrade` makes where pgvector is there: supabase/embeddings.sql.
alter table public.library_documents
  add column embedding text not null default 'none'
    check (embedding in ('none', 'queued', 'running', 'ready', 'failed')),
  -- Passages whose vectors are stored, of how many.
  add column passages_embedded integer not null default 0,
  add column passages_total integer not null default 0,
  -- The embedder's content id.
  add column embedder text,
  add column embedding_attempts integer not null default 0,
  add column embedding_enqueued_at timestamptz;
create index library_documents_embedding on public.library_documents (created_at)
  where embedding in ('queued', 'running');
