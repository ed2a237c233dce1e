CREATE OR REPLACE FUNCTION do_lobby_ticket(p_player bigint, p_idem_key text, p_body_hash bytea, p_ticket uuid)
    RETURNS TABLE (code text, ticket uuid, expires_at timestamptz)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_player players;
    v_answer jsonb;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND OR v_player.banned_at IS NOT NULL THEN
        RETURN QUERY SELECT CASE WHEN FOUND THEN 'banned' ELSE 'no_such_player' END, NULL::uuid,
        NULL::timestamptz;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'lobby_ticket', p_body_hash);
    IF v_answer IS NULL THEN
        INSERT INTO tickets (id, player_id, expires_at)
        VALUES (p_ticket, p_player, now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0))
        RETURNING jsonb_build_object('code', 'ok', 'ticket', id, 'expires_at', expires_at)
        INTO STRICT v_answer;
        v_answer := idempotent_keep(p_player, p_idem_key, 'lobby_ticket', p_body_hash, NULL, v_answer);
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->>'ticket')::uuid,
    (v_answer->>'expires_at')::timestamptz;
END $$;

COMMENT ON FUNCTION do_lobby_ticket IS
'A ticket to the lobby.
Key: p_idem_key of the player.
Refusals: no_such_player, banned, idempotency_key_reused.
Called by api.';
