CREATE OR REPLACE FUNCTION do_admin_player(p_key_hash bytea, p_player bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY SELECT * FROM admin_read(p_key_hash, 'read:player', jsonb_build_object('player', p_player),
                                          admin_player_json(p_player), 'player_unknown');
END $$;

COMMENT ON FUNCTION do_admin_player IS
'A player as an operator sees them.
Refusals: those of admin_begin, player_unknown.
Called by api.';
