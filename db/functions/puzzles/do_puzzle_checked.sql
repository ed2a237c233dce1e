CREATE OR REPLACE FUNCTION do_puzzle_checked(p_puzzle bigint, p_holds boolean) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE puzzles
    SET checked_at = now(),
        withdrawn_at = CASE WHEN p_holds THEN withdrawn_at ELSE coalesce(withdrawn_at, now()) END
    WHERE id = p_puzzle;
END $$;

COMMENT ON FUNCTION do_puzzle_checked IS
'Records that a puzzle was evaluated again; a disputed one is withdrawn.
Called by server.';
