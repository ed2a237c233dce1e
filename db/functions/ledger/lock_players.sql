CREATE OR REPLACE FUNCTION lock_players(p_players bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM players WHERE id = ANY (p_players) ORDER BY id FOR NO KEY UPDATE;
END $$;

COMMENT ON FUNCTION lock_players IS
'Locks the rows of these players in the order of their ids. Code that moves players'' chips holds these
locks and takes them after the lock of the table. The order is the same everywhere, so that no deadlock is
possible.
Called everywhere.';
