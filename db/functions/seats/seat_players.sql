CREATE OR REPLACE FUNCTION seat_players(p_tables bigint[], p_players bigint[]) RETURNS smallint[]
    LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off
    SET enable_seqscan = off SET jit = off AS $$
DECLARE
    v_seats    smallint[];
    v_takes    integer[];
    v_silver   bigint[];
    v_gold     bigint[];
    v_purses   bigint[];
    v_purses_g bigint[];
BEGIN
    SELECT array_agg(a.free[a.nth] ORDER BY n), array_agg(a.takes_n + a.nth ORDER BY n),
           array_agg(least(a.balance, a.stake) ORDER BY n),
           array_agg(a.stake - least(a.balance, a.stake) ORDER BY n),
           array_agg(a.purse ORDER BY n), array_agg(a.purse_g ORDER BY n)
    INTO v_seats, v_takes, v_silver, v_gold, v_purses, v_purses_g
    FROM (SELECT u.n, t.takes_n, t.stake, p.balance, p.id AS purse,
                 CASE WHEN p.balance < t.stake THEN account_purse(u.player_id, 'gold') END AS purse_g,
                 ARRAY(SELECT seat::smallint FROM generate_series(0, t.seats_n - 1) seat
                       WHERE seat <> ALL (t.taken) ORDER BY seat) AS free,
                 row_number() OVER (PARTITION BY u.table_id ORDER BY u.n)::integer AS nth
          FROM unnest(p_tables, p_players) WITH ORDINALITY u (table_id, player_id, n)
          CROSS JOIN LATERAL (SELECT x.takes_n, x.stake, x.seats_n,
                                     ARRAY(SELECT s.seat::integer FROM seats s
                                           WHERE s.table_id = x.id) AS taken
                              FROM tables x WHERE x.id = u.table_id OFFSET 0) t
          CROSS JOIN LATERAL (SELECT x.id, x.balance FROM accounts x
                              WHERE x.kind = 'purse' AND x.player_id = u.player_id
                                AND x.currency = 'silver' OFFSET 0) p) a;
    UPDATE tables t SET people_n = t.people_n + c.n, takes_n = t.takes_n + c.n
    FROM (SELECT table_id, count(*) AS n FROM unnest(p_tables) u (table_id) GROUP BY table_id) c
    WHERE t.id = c.table_id;
    INSERT INTO seats (table_id, seat, player_id, nickname, avatar, stake_silver, stake_gold, take)
    SELECT u.table_id, u.seat, u.player_id, p.nickname, p.avatar, u.silver, u.gold, u.take
    FROM unnest(p_tables, p_players, v_seats, v_silver, v_gold, v_takes)
         WITH ORDINALITY u (table_id, player_id, seat, silver, gold, take, n)
    JOIN players p ON p.id = u.player_id
    ORDER BY u.n;
    PERFORM open_holds(p_tables, p_players, v_silver, v_gold);
    PERFORM ledger_post_lines(l.lines)
    FROM (SELECT array_agg(ROW('stake', 'stake:table:' || u.table_id || ':take:' || u.take, u.table_id,
                               x.account, x.amount, 'stake')::ledger_line ORDER BY u.n, x.n) AS lines
          FROM unnest(p_tables, p_players, v_silver, v_gold, v_takes, v_purses, v_purses_g)
               WITH ORDINALITY u (table_id, player_id, silver, gold, take, purse, purse_g, n)
          CROSS JOIN LATERAL (VALUES
              (1, u.purse, -u.silver),
              (2, CASE WHEN u.silver > 0 THEN account_hold(u.table_id, u.player_id, 'silver') END, u.silver),
              (3, u.purse_g, -u.gold),
              (4, CASE WHEN u.gold > 0 THEN account_hold(u.table_id, u.player_id, 'gold') END, u.gold))
              x (n, account, amount)
          WHERE x.amount <> 0) l
    WHERE l.lines IS NOT NULL;
    RETURN v_seats;
END $$;

COMMENT ON FUNCTION seat_players IS
'Seats players in the given order, each at the lowest free seat of their table, and holds the stakes, silver
first. The caller has locked the tables and the players; no player occurs twice.
Key of the transfers: `stake:table:<table>:take:<n>`, where n counts how often a seat was taken there.
Raises if a table is full or a purse is too small, so callers check seat_refusal or stake_refusal first.
Called by do_seat_batch, do_take_seat, seat_player.';
