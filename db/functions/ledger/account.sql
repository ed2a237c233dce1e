CREATE OR REPLACE FUNCTION account_house(p_cause text, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT id FROM accounts WHERE kind = 'house' AND cause = p_cause AND currency = p_currency);
END $$;

COMMENT ON FUNCTION account_house IS
'The house account on the other side of a cause''s transfers.
Called by credit_legs, forfeit_chips, pay_grant, post_daily_bonuses, prize_pay, shop_post.';

CREATE OR REPLACE FUNCTION account_purse(p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT id FROM accounts WHERE kind = 'purse' AND player_id = p_player AND currency = p_currency);
END $$;

COMMENT ON FUNCTION account_purse IS
'The purse of a player. NULL: there is no such player.
Called everywhere.';

CREATE OR REPLACE FUNCTION account_hold(p_table bigint, p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT id FROM accounts
            WHERE kind = 'hold' AND table_id = p_table AND player_id = p_player AND currency = p_currency);
END $$;

COMMENT ON FUNCTION account_hold IS
'The hold of a player at a table. NULL: they have none there.
Called by open_holds, refund_post, seat_players.';

CREATE OR REPLACE FUNCTION account_empty_hold(p_player bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT id FROM accounts
            WHERE kind = 'hold' AND player_id = p_player AND currency = p_currency AND balance = 0
            ORDER BY table_id LIMIT 1);
END $$;

COMMENT ON FUNCTION account_empty_hold IS
'An empty hold of the player, which may move to another table. If there are several, the one with the oldest
table; NULL: there is none.
Called by open_holds.';

CREATE OR REPLACE FUNCTION account_pot(p_tournament bigint, p_currency text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT id FROM accounts
            WHERE kind = 'pot' AND tournament_id = p_tournament AND currency = p_currency);
END $$;

COMMENT ON FUNCTION account_pot IS
'The pot of a tournament.
Called by admin_tournament_json, entry_pay, entry_refund, prize_pay.';
