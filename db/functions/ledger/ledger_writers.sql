CREATE OR REPLACE FUNCTION ledger_writers() RETURNS text[]
    LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(array_agg(DISTINCT virtualtransaction), '{}') FROM pg_locks
    WHERE locktype = 'relation' AND relation = 'transfers'::regclass AND pid IS DISTINCT FROM pg_backend_pid()
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND mode NOT IN ('AccessShareLock', 'RowShareLock', 'ShareUpdateExclusiveLock')
$$;

COMMENT ON FUNCTION ledger_writers IS
'Transactions that are writing transfers at this moment: the virtual transactions that have the lock which
an INSERT takes before it draws a number and keeps until its end. Readers, backups, and vacuum take other
locks.
Called by do_seal_ledger.';
