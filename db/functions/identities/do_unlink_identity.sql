CREATE OR REPLACE FUNCTION do_unlink_identity(p_player bigint, p_session bigint, p_identity bigint,
                                              p_provider text, p_issuers text[])
    RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_code text := identity_change(p_player, p_session);
BEGIN
    IF v_code <> 'ok' THEN
        RETURN v_code;
    ELSIF NOT EXISTS (SELECT 1 FROM identities WHERE id = p_identity AND player_id = p_player) THEN
        RETURN 'identity_unknown';
    ELSIF ways_in(p_player, p_issuers) <= (SELECT count(*) FROM identities
                                           WHERE id = p_identity AND issuer = ANY (p_issuers)) THEN
        RETURN 'last_way_in';
    END IF;
    DELETE FROM identities WHERE id = p_identity;
    PERFORM mail_put(p_player, NULL, 'identity_unlinked', jsonb_build_object('provider', p_provider));
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION do_unlink_identity IS
'Unlinks a provider from a player, confirmed by email. p_provider: its name. p_issuers: as in ways_in. An
identity of any other provider is not a way to sign in, so it can be removed.
Refusals: identity_unknown, last_way_in, and those of identity_change.
Locks: the player.
Called by api.';
