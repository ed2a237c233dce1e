CREATE OR REPLACE FUNCTION do_accept_invite(p_player bigint, p_code text, p_idem_key text, p_body_hash bytea)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer     jsonb;
    v_acceptance text;
    v_inviter    bigint := inviter_of(p_code);
    v_code       text;
BEGIN
    PERFORM lock_players(ARRAY[p_player, v_inviter]);
    PERFORM 1 FROM players WHERE id = p_player AND deleted_at IS NULL;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_player', NULL::text;
        RETURN;
    END IF;
    v_acceptance := invite_acceptance(p_player);
    v_answer := idempotent_answer(p_player, p_idem_key, 'accept_invite', p_body_hash);
    IF v_answer IS NULL THEN
        v_code := coalesce(
            CASE WHEN v_inviter IS NULL THEN 'invite_unknown' WHEN v_inviter = p_player THEN 'invite_self'
                 WHEN v_acceptance = 'guest' THEN 'invite_guest' END,
            invite_refusal(p_player, v_inviter),
            CASE WHEN v_acceptance = 'open' THEN 'ok' ELSE 'invite_' || v_acceptance END);
        IF v_code = 'ok' THEN
            PERFORM invite_accepted(p_player, v_inviter);
        END IF;
        v_answer := idempotent_keep(
            p_player, p_idem_key, 'accept_invite', p_body_hash, nullif(v_code, 'ok'),
            jsonb_build_object('code', 'ok', 'gold', setting_int('invited_gold')));
    END IF;
    RETURN QUERY SELECT v_answer->>'code', jsonb_build_object('gold', v_answer->'gold')::text;
END $$;

COMMENT ON FUNCTION do_accept_invite IS
'Accepts an invitation after registration, within invite_accept_s of it.
Key: p_idem_key of the player.
Refusals: no_such_player, invite_unknown, invite_self, invite_guest, invite_late, idempotency_key_reused,
and those of invite_refusal.
Called by api.';
