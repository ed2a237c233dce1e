-- Where the chain of the ledger begins.
INSERT INTO ledger_seal DEFAULT VALUES ON CONFLICT DO NOTHING;
