CREATE OR REPLACE FUNCTION passkeys_full(p_player bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT 'too_many_passkeys' FROM passkeys WHERE player_id = p_player
    HAVING count(*) >= setting_int('passkeys_per_player_max')
$$;

COMMENT ON FUNCTION passkeys_full IS
'too_many_passkeys if a player has the maximum number; NULL: they may add one.
Called by do_passkey_add, do_passkey_begin.';
