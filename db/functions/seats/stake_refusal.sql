CREATE OR REPLACE FUNCTION stake_refusal(p_player bigint, p_variant text, p_visibility text, p_bots integer,
                                         p_stake bigint, p_point_value integer, p_opens boolean)
    RETURNS text
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_level integer := (SELECT min(t.level_from) FROM rooms r JOIN titles t ON t.name = r.title
                        WHERE r.stake = p_stake);
    v_cost  bigint := p_stake + p_point_value * setting_int('point_value_hold');
BEGIN
    IF v_cost = 0 THEN
        RETURN NULL;
    END IF;
    RETURN CASE
        WHEN p_opens AND p_visibility = 'private' THEN 'stake_private'
        WHEN p_opens AND p_bots > 0 THEN 'stake_bots'
        WHEN p_opens AND (has_place_points(p_variant) OR (p_point_value > 0) <> (p_variant = 'points')
                          OR p_point_value > 0 AND p_stake > 0) THEN 'stake_variant'
        WHEN p_opens AND (p_point_value > setting_int('point_value_max') OR p_stake > 0 AND v_level IS NULL)
           THEN 'stake_unknown'
        WHEN p_stake > 0 AND (SELECT level FROM players WHERE id = p_player) < v_level THEN 'room_locked'
        WHEN (SELECT sum(balance) FROM accounts WHERE kind = 'purse' AND player_id = p_player) < v_cost
           THEN 'no_funds' END;
END $$;

COMMENT ON FUNCTION stake_refusal IS
'Why a player may not sit at a player-opened table with these stakes; NULL: they may. A player who joins
(not p_opens) gets the table as it was opened, even if the rooms'' stakes have changed since.
Refusals: stake_private (private tables play without chips), stake_bots, stake_variant (the variant is not
played for this), stake_unknown (no room has this stake), room_locked, no_funds.
Called by do_join_table, do_open_table, do_rematch.';
