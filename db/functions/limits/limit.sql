CREATE OR REPLACE FUNCTION limit_none(p_kind text) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE p_kind WHEN 'time' THEN 1440 WHEN 'purchases' THEN 100000000 ELSE 0 END::bigint
$$;

COMMENT ON FUNCTION limit_none IS
'The value that means no limit: the number of minutes in a day, an amount above any price, or a time long
past.
Called by limit_of, limit_order_guard, limit_worth, limits_json.';

CREATE OR REPLACE FUNCTION limit_of(p_player bigint, p_kind text) RETURNS bigint
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN coalesce((SELECT CASE WHEN next_at <= now() THEN next_value ELSE value END FROM play_limits
                     WHERE player_id = p_player AND kind = p_kind), limit_none(p_kind));
END $$;

COMMENT ON FUNCTION limit_of IS
'The current limit of a kind for a player.
Called by do_set_limits, limit_exclusion_refuses, limit_order_guard, limit_time_reached, limits_json,
may_not_play, set_limit.';

CREATE OR REPLACE FUNCTION limit_worth(p_minor bigint, p_currency text) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT least(limit_none('purchases'),
                 coalesce((SELECT ceil(p_minor * worth)::bigint FROM limit_currencies
                           WHERE currency = p_currency), limit_none('purchases')))
$$;

COMMENT ON FUNCTION limit_worth IS
'The amount that a price counts towards a purchase limit, rounded up. A currency of unknown worth counts as
more than any limit.
Called by limit_order_guard, purchased_minor.';
