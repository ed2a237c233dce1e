CREATE OR REPLACE FUNCTION do_identity_begin(p_secret_hash bytea, p_issuer text, p_redirect_uri text,
                                             p_player bigint, p_session bigint, p_source text)
    RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    v_code text := CASE WHEN p_player IS NULL THEN 'ok' ELSE identity_change(p_player, p_session) END;
BEGIN
    IF v_code = 'ok' THEN
        INSERT INTO identity_flows (secret_hash, issuer, redirect_uri, player_id, source, expires_at)
        VALUES (p_secret_hash, p_issuer, p_redirect_uri, p_player, p_source,
                now() + make_interval(secs => setting_int('identity_flow_s')));
        DELETE FROM identity_flows WHERE secret_hash = ANY (ARRAY(
            SELECT secret_hash FROM identity_flows WHERE source = p_source
            ORDER BY expires_at DESC OFFSET setting_int('identity_flows_max')));
    END IF;
    RETURN v_code;
END $$;

COMMENT ON FUNCTION do_identity_begin IS
'Begins a sign-in with a provider, or (p_player) linking one to an account. p_secret_hash: hash of what the
browser or app keeps. p_source: the bucket of its address, for which at most identity_flows_max may be in
progress; beyond that, the oldest are dropped.
Refusals: those of identity_change.
Called by api.';
