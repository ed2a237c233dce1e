CREATE OR REPLACE FUNCTION q_my_account(p_player bigint)
    RETURNS TABLE (code text, email text, nickname text, proof text)
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN c.player_id IS NULL THEN 'not_registered' ELSE 'ok' END, c.email, p.nickname,
           account_proof(a.id)
    FROM (VALUES (p_player)) a (id)
    LEFT JOIN players p ON p.id = a.id
    LEFT JOIN credentials c ON c.player_id = a.id
$$;

COMMENT ON FUNCTION q_my_account IS
'What the player''s password must not contain, and the proof that they must give (account_proof).
Refusals: not_registered (a guest, or an account without an address).
Called by api.';
