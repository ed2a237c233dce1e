CREATE OR REPLACE FUNCTION tournament_seed(p_secret bytea, p_times integer) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_seed bytea := p_secret;
BEGIN
    FOR i IN 1 .. p_times LOOP
        v_seed := sha256(v_seed);
    END LOOP;
    RETURN v_seed;
END $$;

COMMENT ON FUNCTION tournament_seed IS
'A link of the chain that the draws of a tournament come from: the secret, hashed p_times. The draw d of at
most m shows the link of m - d, whose hash is what the draw before has shown, and for the first one the
commitment. So no link says anything of those that come later.
Called by do_admin_tournament, tournament_deal_link, tournament_draw, tournament_key.';
