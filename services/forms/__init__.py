"""Forms that admins describe: versions in the database, in use without a restart (ADR 35).

`save_version` stores one, `retire_form` and `put_into_use` change which is in use, `list_forms` and `form_version`
show them, `load_forms` brings this process up to date, `export_toml` and `import_toml` carry one elsewhere.
"""
