CREATE OR REPLACE FUNCTION do_create_club(p_player bigint, p_name jsonb, p_about text, p_joining text,
                                          p_idem_key text, p_body_hash bytea)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_player players;
    v_club   clubs;
    v_answer jsonb;
    v_code   text;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF v_player.id IS NULL THEN
        RETURN QUERY SELECT 'no_such_player', NULL::text;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'create_club', p_body_hash);
    IF v_answer IS NULL THEN
        v_code := CASE WHEN v_player.kind <> 'registered' THEN 'club_registered_only'
                       ELSE club_refusal(v_player) END;
        IF v_code IS NULL THEN
            INSERT INTO clubs (name, name_folded, about, joining, members_n)
            VALUES (p_name->>'nickname', p_name->>'folded', coalesce(p_about, ''),
                    coalesce(p_joining, 'ask'), 1)
            ON CONFLICT (name_folded) DO NOTHING RETURNING * INTO v_club;
            IF v_club.id IS NULL THEN
                v_code := 'club_name_taken';
            ELSE
                INSERT INTO club_members (club_id, player_id, role) VALUES (v_club.id, p_player, 'owner');
            END IF;
        END IF;
        v_answer := idempotent_keep(p_player, p_idem_key, 'create_club', p_body_hash, v_code,
                                    jsonb_build_object('code', 'ok', 'body', club_json(v_club, p_player)));
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_create_club IS
'Creates a club owned by the player. p_name: as api/names/nickname.h binds one. p_joining NULL: players
request membership.
Key: p_idem_key of the player.
Refusals: no_such_player, club_registered_only, club_name_taken, idempotency_key_reused, and those of
club_refusal.
Locks: the player.
Called by api.';
