CREATE OR REPLACE FUNCTION open_holds(p_tables bigint[], p_players bigint[], p_silver bigint[],
                                      p_gold bigint[])
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_moved      bigint[];
    v_to         bigint[];
    v_tables     bigint[];
    v_players    bigint[];
    v_currencies text[];
    v_taken      integer := 0;
BEGIN
    SELECT array_agg(h.id) FILTER (WHERE h.id IS NOT NULL),
           array_agg(h.table_id) FILTER (WHERE h.id IS NOT NULL),
           array_agg(h.table_id ORDER BY h.n, h.currency DESC) FILTER (WHERE h.id IS NULL),
           array_agg(h.player_id ORDER BY h.n, h.currency DESC) FILTER (WHERE h.id IS NULL),
           array_agg(h.currency ORDER BY h.n, h.currency DESC) FILTER (WHERE h.id IS NULL)
    INTO v_moved, v_to, v_tables, v_players, v_currencies
    FROM (SELECT u.n, u.table_id, u.player_id, x.currency, account_empty_hold(u.player_id, x.currency) AS id
          FROM unnest(p_tables, p_players, p_silver, p_gold)
               WITH ORDINALITY u (table_id, player_id, silver, gold, n)
          CROSS JOIN LATERAL (VALUES ('silver', u.silver), ('gold', u.gold)) x (currency, amount)
          WHERE x.amount > 0 AND account_hold(u.table_id, u.player_id, x.currency) IS NULL) h;
    -- A writing statement has a cost even if it writes no rows.
    IF v_moved IS NOT NULL THEN
        UPDATE accounts a SET table_id = m.table_id
        FROM unnest(v_moved, v_to) m (id, table_id) WHERE a.id = m.id AND a.balance = 0;
        GET DIAGNOSTICS v_taken = ROW_COUNT;
        v_taken := cardinality(v_moved) - v_taken;
    END IF;
    IF v_tables IS NOT NULL THEN
        INSERT INTO accounts (kind, currency, player_id, table_id)
        SELECT 'hold', m.currency, m.player_id, m.table_id
        FROM unnest(v_currencies, v_players, v_tables) WITH ORDINALITY m (currency, player_id, table_id, n)
        ORDER BY m.n;
    END IF;
    IF v_taken > 0 THEN
        PERFORM open_holds(p_tables, p_players, p_silver, p_gold);
    END IF;
END $$;

COMMENT ON FUNCTION open_holds IS
'The holds of players at tables, for the silver and gold that each player stakes: existing ones, empty ones
that are moved there, or new ones. The caller holds the locks of the players, so that no two tables take the
same hold; if another session nevertheless takes an empty one, the player gets another. Each player may
occur only once.
Called by seat_players.';
