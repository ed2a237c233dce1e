CREATE OR REPLACE FUNCTION recovery_codes_put(p_player bigint, p_hashes bytea[]) RETURNS void
    LANGUAGE sql AS $$
    DELETE FROM recovery_codes WHERE player_id = p_player;
    INSERT INTO recovery_codes (player_id, code_hash) SELECT p_player, unnest(p_hashes);
$$;

COMMENT ON FUNCTION recovery_codes_put IS
'Gives an account these recovery codes in place of those it had.
Called by do_factor_codes, do_factor_confirm.';
