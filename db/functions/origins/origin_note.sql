CREATE OR REPLACE FUNCTION origin_note(p_player bigint, p_address_hash bytea) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_address_hash IS NOT NULL THEN
        INSERT INTO account_origins (player_id, address_hash, day)
        VALUES (p_player, p_address_hash, local_day(now()));
    END IF;
END $$;

COMMENT ON FUNCTION origin_note IS
'Records the address from which a new account was created; NULL: not an internet address.
Called by do_enter_guest, do_enter_registered.';
