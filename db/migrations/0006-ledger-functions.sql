-- The ways chips move. Whoever calls these holds the row locks of the players concerned
-- (lock_players), taken after the table's: one order everywhere, so no two of them wait for each other.

-- Small look-ups are PL/pgSQL on purpose: it keeps their plans for the life of a session.

-- One line of a transfer.
CREATE TYPE ledger_leg AS (account_id bigint, amount bigint, reason text);

CREATE FUNCTION lock_players(p_players bigint[]) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM players WHERE id = ANY (p_players) ORDER BY id FOR NO KEY UPDATE;
END $$;

CREATE FUNCTION account_purse(p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT id FROM accounts WHERE kind = 'purse' AND player_id = p_player AND currency = p_currency);
END $$;

CREATE FUNCTION account_house(p_cause text, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT id FROM accounts WHERE kind = 'house' AND cause = p_cause AND currency = p_currency);
END $$;

-- NULL while nothing was ever held there.
CREATE FUNCTION account_hold(p_table bigint, p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT id FROM accounts
            WHERE kind = 'hold' AND table_id = p_table AND player_id = p_player AND currency = p_currency);
END $$;

-- Opens the hold when it is first needed.
CREATE FUNCTION open_hold(p_table bigint, p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_id bigint := account_hold(p_table, p_player, p_currency);
BEGIN
    IF v_id IS NULL THEN
        INSERT INTO accounts (kind, currency, player_id, table_id) VALUES ('hold', p_currency, p_player, p_table)
        RETURNING id INTO v_id;
    END IF;
    RETURN v_id;
END $$;

-- Writes a transfer and all its lines; lines of 0 are left out. NULL: the key was used before and
-- nothing was done. Raises when the lines do not balance or a purse would fall below zero.
CREATE FUNCTION ledger_post(p_cause text, p_key text, p_table bigint, p_note text, p_legs ledger_leg[])
    RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_id bigint;
BEGIN
    INSERT INTO transfers (cause, key, table_id, note) VALUES (p_cause, p_key, p_table, p_note)
    ON CONFLICT (key) DO NOTHING RETURNING id INTO v_id;
    IF v_id IS NOT NULL THEN
        INSERT INTO postings (transfer_id, account_id, amount, reason)
        SELECT v_id, l.account_id, l.amount, l.reason
        FROM unnest(p_legs) WITH ORDINALITY AS l (account_id, amount, reason, n)
        WHERE l.amount <> 0
        ORDER BY l.n;
    END IF;
    RETURN v_id;
END $$;

-- Silver the player owns: in the purse and held at tables. Both count towards the cap, so a stake
-- always comes back whole and no purse ever stands above the cap.
CREATE FUNCTION silver_owned(p_player bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT p.balance + coalesce((SELECT sum(h.balance) FROM seats s
                                         JOIN accounts h ON h.kind = 'hold' AND h.table_id = s.table_id
                                                        AND h.player_id = s.player_id AND h.currency = 'silver'
                                         WHERE s.player_id = p_player AND s.live), 0)::bigint
            FROM accounts p
            WHERE p.kind = 'purse' AND p.player_id = p_player AND p.currency = 'silver');
END $$;

-- How much of p_gain would be lost over the player's cap.
CREATE FUNCTION silver_over_cap(p_player bigint, p_gain bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT least(p_gain, greatest(0, silver_owned(p.id) + p_gain - l.silver_cap))
            FROM players p JOIN levels l USING (level)
            WHERE p.id = p_player);
END $$;

-- The lines that give p_amount from the house account of p_cause to a purse; what exceeds the cap
-- of silver is shown as taken off again.
CREATE FUNCTION credit_legs(p_player bigint, p_currency text, p_amount bigint, p_cause text) RETURNS ledger_leg[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_purse bigint := account_purse(p_player, p_currency);
    v_lost  bigint := 0;
BEGIN
    IF p_currency = 'silver' THEN
        v_lost := silver_over_cap(p_player, p_amount);
    END IF;
    RETURN ARRAY[
        ROW(account_house(p_cause, p_currency), -p_amount, p_cause),
        ROW(v_purse, p_amount, p_cause),
        ROW(v_purse, -v_lost, 'over_cap'),
        ROW(account_house('over_cap', p_currency), v_lost, 'over_cap')]::ledger_leg[];
END $$;

-- Gives chips once for each key. code: ok, already_done, no_such_player. lost: silver over the cap.
CREATE FUNCTION do_credit(p_player bigint, p_currency text, p_amount bigint, p_cause text, p_key text, p_note text)
    RETURNS TABLE (code text, lost bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_legs ledger_leg[];
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF account_purse(p_player, p_currency) IS NULL THEN
        RETURN QUERY SELECT 'no_such_player', 0::bigint;
        RETURN;
    END IF;
    IF p_amount = 0 OR EXISTS (SELECT 1 FROM transfers WHERE key = p_key) THEN
        RETURN QUERY SELECT CASE WHEN p_amount = 0 THEN 'ok' ELSE 'already_done' END, 0::bigint;
        RETURN;
    END IF;
    v_legs := credit_legs(p_player, p_currency, p_amount, p_cause);
    RETURN QUERY SELECT CASE WHEN ledger_post(p_cause, p_key, NULL, p_note, v_legs) IS NULL
                             THEN 'already_done' ELSE 'ok' END, (v_legs[4]).amount;
END $$;
