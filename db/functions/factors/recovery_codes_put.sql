CREATE OR REPLACE FUNCTION recovery_codes_put(p_player bigint, p_hashes bytea[]) RETURNS void
    LANGUAGE sql AS $$
    DELETE FROM recovery_codes WHERE player_id = p_player;
    INSERT INTO recovery_codes (player_id, code_hash) SELECT p_player, unnest(p_hashes);
$$;

COMMENT ON FUNCTION recovery_codes_put IS
'Replaces the recovery codes of an account.
Called by do_factor_codes, do_factor_confirm.';
