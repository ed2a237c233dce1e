CREATE OR REPLACE FUNCTION idempotent_keep(p_player bigint, p_key text, p_action text, p_body_hash bytea,
                                           p_code text, p_answer jsonb)
    RETURNS jsonb
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_code IS NOT NULL THEN
        p_answer := jsonb_build_object('code', p_code);
    END IF;
    INSERT INTO idempotency (player_id, key, action, body_hash, answer)
    VALUES (p_player, p_key, p_action, p_body_hash, p_answer);
    RETURN p_answer;
END $$;

COMMENT ON FUNCTION idempotent_keep IS
'Stores the first reply to a player''s idempotency key, for idempotent_answer to find, and returns it.
p_code: the reason for a refusal, which is then the whole reply; NULL: p_answer is the reply.
Called everywhere.';
