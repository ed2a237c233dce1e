CREATE OR REPLACE FUNCTION make_api_key(p_maker bigint, p_name text, p_role text, p_holder text,
                                        p_days bigint, p_scope text, p_key_hash bytea,
                                        p_prefix text,
                                        OUT code text, OUT made api_keys)
    LANGUAGE plpgsql AS $$
DECLARE
    v_scopes text[] := regexp_split_to_array(nullif(p_scope, ''), ' ');
    v_mine   text[] := (SELECT scopes FROM api_keys WHERE id = p_maker);
BEGIN
    code := CASE WHEN EXISTS (SELECT FROM unnest(v_scopes) s (scope)
                              WHERE scope NOT IN (SELECT area || w.what FROM admin_rights()
                                                  CROSS JOIN (VALUES (':read'), (':write')) AS w (what)))
                   OR cardinality(v_scopes) > 32 THEN 'no_such_scope'
                 WHEN v_mine IS NOT NULL AND (v_scopes IS NULL OR NOT v_scopes <@ v_mine) THEN 'api_key_scope'
                 ELSE 'ok' END;
    IF code = 'ok' THEN
        INSERT INTO api_keys (name, role, holder, scopes, key_hash, prefix, made_by, expires_at)
        VALUES (p_name, p_role, p_holder, v_scopes, p_key_hash, p_prefix, p_maker,
                now() + make_interval(days => p_days::integer))
        ON CONFLICT (name) DO NOTHING RETURNING * INTO made;
        code := CASE WHEN made.id IS NULL THEN 'key_name_taken' ELSE 'ok' END;
    END IF;
END $$;

COMMENT ON FUNCTION make_api_key IS
'Creates an API key; only its hash is known here. p_maker: the key that creates it, NULL at the console.
p_days: it expires after this many days; NULL: never, which is permitted only for jobs. p_scope: area:read and
area:write, separated by spaces; NULL or empty: everything that the role permits. A restricted key cannot
grant more than it is permitted.
Refusals: no_such_scope, api_key_scope, key_name_taken.
Called by do_admin_make_key, do_make_key.';
