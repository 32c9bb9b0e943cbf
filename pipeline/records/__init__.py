"""How the record of an entry maps onto its rows; `pipeline/supabase_db.py` reads and writes them."""
