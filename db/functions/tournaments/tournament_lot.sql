CREATE OR REPLACE FUNCTION tournament_lot(p_key bytea, p_entry integer) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$
    SELECT sha256(p_key || int4send(p_entry))
$$;

COMMENT ON FUNCTION tournament_lot IS
'The lot of an entrant in a draw: the smaller one comes first. p_key: sha256 of "rummy-draw-1", the seed of
the draw, the hash of the entrants'' seeds, the tournament (8 bytes), and the draw (4 bytes).
Called by q_tournament_order, tournament_draw.';
