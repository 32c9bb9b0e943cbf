"""The text that explains an export to a family."""

README = """\
WHAT IS HELD ON ONE ENTRY

pages.pdf    The pages of the entry, as they came in.
readings/    What the machine read from the pages, each time that it read them.
held.json    Every row that the system stores about the entry:
             the values, and where they stand on the pages (submissions, submission_fields, field_evidence);
             what the machine did (runs, orchestrator_logs, model_calls);
             what was proposed and asked (review_suggestions, review_suggestion_fields, escalations, set_asides);
             what people decided, and the values before (review_decisions, review_events);
             what people typed to audit the machine (audits, audit_fields);
             the essay without names, for research (library_documents, library_passages, essay_words);
             what the same entry would be found by if it were sent again (duplicate_keys, page_fingerprints).

People of the office are named by their ids. Nothing of another entry is in this file.


LO QUE SE GUARDA DE UNA ENTRADA

pages.pdf    Las páginas de la entrada, tal como llegaron.
readings/    Lo que la máquina leyó de las páginas, cada vez que las leyó.
held.json    Cada fila que el sistema guarda sobre la entrada:
             los valores y su lugar en las páginas (submissions, submission_fields, field_evidence);
             lo que hizo la máquina (runs, orchestrator_logs, model_calls);
             lo que se propuso y preguntó (review_suggestions, review_suggestion_fields, escalations, set_asides);
             lo que decidieron las personas, y los valores anteriores (review_decisions, review_events);
             lo que escribieron las personas para auditar a la máquina (audits, audit_fields);
             el ensayo sin nombres, para investigación (library_documents, library_passages, essay_words);
             con qué se encontraría la misma entrada si se enviara otra vez (duplicate_keys, page_fingerprints).

Las personas de la oficina figuran con su número. En este archivo no hay nada de otra entrada.
"""
