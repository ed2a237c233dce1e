CREATE OR REPLACE FUNCTION deal_hand_seed(p_seed bytea, p_hand integer) RETURNS bytea
    LANGUAGE sql IMMUTABLE AS $$
    SELECT sha256('rummy-deal-seed-1'::bytea || p_seed || int4send(p_hand))
$$;

COMMENT ON FUNCTION deal_hand_seed IS
'The server seed of a hand of a shared deal; tab_deal_hand_seed derives the seeds of later hands.
Called by open_deal_table, tournament_open_tables.';
