CREATE OR REPLACE FUNCTION idempotent_answer(p_player bigint, p_key text, p_action text, p_body_hash bytea)
    RETURNS jsonb
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_answer jsonb;
BEGIN
    v_answer := (SELECT CASE WHEN action = p_action AND body_hash = p_body_hash
                             THEN answer || '{"repeated": true}'
                             ELSE '{"code": "idempotency_key_reused"}' END
                 FROM idempotency WHERE player_id = p_player AND key = p_key);
    PERFORM set_config('rummyd.repeated', coalesce(v_answer ? 'repeated', false)::text, true);
    RETURN v_answer;
END $$;

COMMENT ON FUNCTION idempotent_answer IS
'The first reply to a player''s idempotency key, and "repeated"; NULL if the key is new. A repeat also sets
rummyd.repeated (API_REPEATED). The caller holds the player''s row lock, and passes the reply for a new key
to idempotent_keep in the same transaction.
Refusals, as {"code"}: idempotency_key_reused (the key came with another action or body).
Called everywhere.';
