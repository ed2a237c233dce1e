CREATE OR REPLACE FUNCTION open_hold(p_table bigint, p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_id bigint := account_hold(p_table, p_player, p_currency);
BEGIN
    IF v_id IS NULL THEN
        v_id := account_empty_hold(p_player, p_currency);
        IF v_id IS NOT NULL THEN
            UPDATE accounts SET table_id = p_table WHERE id = v_id AND balance = 0 RETURNING id INTO v_id;
        END IF;
    END IF;
    IF v_id IS NULL THEN
        INSERT INTO accounts (kind, currency, player_id, table_id)
        VALUES ('hold', p_currency, p_player, p_table)
        RETURNING id INTO v_id;
    END IF;
    RETURN v_id;
END $$;

COMMENT ON FUNCTION open_hold IS
'The hold of a player at a table: the existing one, an empty one of theirs that is moved here, or a new one.
The caller holds the player''s lock, so that no two tables take the same one.
Called by seat_player.';

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
    -- A writing statement has a cost even if it writes no row.
    IF v_moved IS NOT NULL THEN
        UPDATE accounts a SET table_id = m.table_id
        FROM unnest(v_moved, v_to) m (id, table_id) WHERE a.id = m.id AND a.balance = 0;
    END IF;
    IF v_tables IS NOT NULL THEN
        INSERT INTO accounts (kind, currency, player_id, table_id)
        SELECT 'hold', m.currency, m.player_id, m.table_id
        FROM unnest(v_currencies, v_players, v_tables) WITH ORDINALITY m (currency, player_id, table_id, n)
        ORDER BY m.n;
    END IF;
END $$;

COMMENT ON FUNCTION open_holds IS
'open_hold for many players, with the silver and gold that each stakes. The caller holds the locks of the
players; each player occurs once.
Called by seat_players.';
