CREATE OR REPLACE FUNCTION board_of(p_kind text, p_variant text, p_period text) RETURNS integer
    LANGUAGE plpgsql AS $$
DECLARE
    v_id integer;
BEGIN
    SELECT id INTO v_id FROM boards WHERE kind = p_kind AND variant = p_variant AND period = p_period;
    IF NOT FOUND THEN
        INSERT INTO boards (kind, variant, period) VALUES (p_kind, p_variant, p_period)
        ON CONFLICT (kind, variant, period) DO NOTHING;
        SELECT id INTO v_id FROM boards WHERE kind = p_kind AND variant = p_variant AND period = p_period;
    END IF;
    RETURN v_id;
END $$;

COMMENT ON FUNCTION board_of IS
'The board of this name, created on first use.
Called by league_board, rank_ratings.';
