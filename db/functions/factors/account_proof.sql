CREATE OR REPLACE FUNCTION account_proof(p_player bigint) RETURNS text
    LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN EXISTS (SELECT 1 FROM credentials WHERE player_id = p_player AND password_hash <> '')
            THEN 'password'
        WHEN EXISTS (SELECT 1 FROM players WHERE id = p_player AND kind = 'registered') THEN 'recent_session'
        ELSE 'none' END
$$;

COMMENT ON FUNCTION account_proof IS
'What a player must prove before a change to the account as a whole. password: they enter it again;
recent_session: the account has no password, so the session must have begun recently; none: a guest has only
the device.
Called by q_my_account, reauth_account.';
