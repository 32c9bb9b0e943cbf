"""Items that wait for a person: proposals and escalations of entries, revisions of reports, audits."""
