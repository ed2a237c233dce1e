-- Start of the ledger's hash chain.
INSERT INTO ledger_seal DEFAULT VALUES ON CONFLICT DO NOTHING;
