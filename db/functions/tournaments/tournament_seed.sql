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
'A link of the chain from which the draws of a tournament are derived: the secret, hashed p_times. Draw d of
at most m reveals link m - d. Its hash is the link that the previous draw revealed or, for the first draw,
the commitment. No link therefore reveals later ones.
Called by do_admin_tournament, tournament_deal_link, tournament_draw, tournament_key.';
