CREATE OR REPLACE FUNCTION settle_chips(p_seats settled_seat[]) RETURNS settled_chips[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_chips settled_chips[];
    v_wrong bigint;
BEGIN
    WITH seated AS (
        SELECT s.*, s.player_id IS NOT NULL AND s.won AND NOT s.practice AS wins, t.stake,
               CASE WHEN s.took_part AND NOT s.same_people THEN t.reward ELSE 0 END AS reward,
               t.room_id IS NOT NULL AND s.same_people AND NOT s.left_early AS stake_back,
               t.point_value, t.room_id IS NULL AND bool_or(s.won) OVER game AS pot,
               bool_or(s.won) OVER game AS decided
        FROM unnest(p_seats) WITH ORDINALITY AS s LEFT JOIN tables t ON t.id = s.table_id
        WINDOW game AS (PARTITION BY s.table_id)
    ), asked AS (
        SELECT s.*, CASE WHEN won OR practice OR stake_back OR NOT decided AND NOT left_early THEN 0
                         WHEN pot AND point_value > 0
                         THEN least(greatest(points, 0) * point_value, stake)
                         ELSE stake END AS owes
        FROM seated s
    ), paid AS (
        SELECT a.*, least(stake_silver, owes) AS silver,
               least(stake_gold, owes - least(stake_silver, owes)) AS gold
        FROM asked a
    ), shared AS (
        SELECT p.*, (sum(silver) OVER game)::bigint AS pot_silver, (sum(gold) OVER game)::bigint AS pot_gold,
               count(*) FILTER (WHERE wins) OVER game AS winners,
               count(*) FILTER (WHERE wins) OVER (PARTITION BY table_id ORDER BY seat) - 1 AS nth,
               -- Players who stake gold win gold.
               CASE WHEN stake > 0 THEN reward * stake_gold / stake ELSE 0 END AS reward_gold
        FROM paid p
        WINDOW game AS (PARTITION BY table_id)
    ), gained AS (
        SELECT s.*, CASE WHEN NOT wins THEN 0
                         WHEN pot THEN pot_silver / winners + (nth < pot_silver % winners)::integer
                         ELSE reward - reward_gold END AS gain_silver,
               CASE WHEN NOT wins THEN 0
                    WHEN pot THEN pot_gold / winners
                        + ((nth - pot_silver % winners + winners) % winners < pot_gold % winners)::integer
                    ELSE reward_gold END AS gain_gold
        FROM shared s
    )
    SELECT array_agg(ROW(pot, silver, gold, gain_silver, gain_gold,
                         CASE WHEN gain_silver > 0 THEN least(gain_silver, greatest(0,
                             silver_owned(player_id) + gain_silver - silver_cap)) ELSE 0 END)::settled_chips
                     ORDER BY ordinality),
           min(table_id) FILTER (WHERE pot AND winners = 0 AND pot_silver + pot_gold > 0)
    INTO v_chips, v_wrong
    FROM gained;
    IF v_wrong IS NOT NULL THEN
        RAISE EXCEPTION 'the pot of table % has no winner among people', v_wrong;
    END IF;
    RETURN v_chips;
END $$;

COMMENT ON FUNCTION settle_chips IS
'What each of these seats pays and gains, seat by seat. Writes nothing. Without a winner, stakes are
refunded, except those of players who left. At a room''s table, the house gets the stakes of the losers, and
gives the reward to a winner who took part. A player who met the others too often today gets their stake
back, but no reward, because otherwise the house would pay two accounts that win alternately without end. A
player-opened table has a pot: each loser pays their stake, or their points times the value of a point,
silver before gold, and the winners share it. Each gets the same amount of both kinds, and the remainder is
distributed chip by chip in turn order, gold once silver runs out. Raises if no human player has won a pot.
Called by do_settle_batch.';
