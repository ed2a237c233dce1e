CREATE OR REPLACE FUNCTION do_puzzle_release(p_holder bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    UPDATE puzzle_mining SET holder = NULL, held_until = NULL WHERE holder = p_holder;
END $$;

COMMENT ON FUNCTION do_puzzle_release IS
'Lets another job search, without waiting for the end of the lease.
Called by server.';
