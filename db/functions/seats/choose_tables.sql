CREATE OR REPLACE FUNCTION choose_tables(p_room rooms, p_players bigint[], p_node text, p_skip bigint[],
                                         OUT ids bigint[], OUT people integer[], OUT takes integer[],
                                         OUT places integer[], OUT wanted bigint[], OUT openers integer[])
    LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_middle bigint := setting_int('rating_scale') / 2;
    v_band   bigint := setting_int('rating_band');
    v_n      integer := cardinality(p_players);
    v_own    bigint[];  -- ratings of those who request a seat
    v_sums   bigint[];  -- of the ratings of the players at each table
    v_people integer[]; -- at each table, including those just placed there
    v_free   integer[];
    v_apart  integer[]; -- pairs, each encoded in one number
    v_found  integer;
    v_all    integer;
    v_best   integer;
    v_mean   bigint;
    v_bands  bigint;
    v_least  bigint;
BEGIN
    v_own := ARRAY(SELECT coalesce((SELECT r.rating FROM ratings r
                                    WHERE r.player_id = u.id AND r.variant = p_room.variant
                                      AND r.period = 'all'), v_middle)
                   FROM unnest(p_players) WITH ORDINALITY u (id, n) ORDER BY u.n);
    SELECT coalesce(array_agg(j.id ORDER BY j.created_at, j.id), '{}'),
           array_agg(j.people_n ORDER BY j.created_at, j.id),
           array_agg(j.takes_n ORDER BY j.created_at, j.id),
           array_agg(j.seats_n - j.people_n ORDER BY j.created_at, j.id),
           array_agg((SELECT coalesce(sum(coalesce((SELECT r.rating FROM ratings r
                                                    WHERE r.player_id = s.player_id AND r.variant = j.variant
                                                      AND r.period = 'all'), v_middle)), 0)
                      FROM seats s WHERE s.table_id = j.id AND s.player_id IS NOT NULL)::bigint
                     ORDER BY j.created_at, j.id)
    INTO ids, people, takes, v_free, v_sums
    FROM (SELECT t.* FROM waiting_tables(p_room, p_node) t
          WHERE t.id <> ALL (p_skip) ORDER BY t.created_at, t.id LIMIT 64) j;
    v_people := people;
    v_found := cardinality(ids);
    v_all := v_found + v_n;
    IF v_all > 1 THEN
        SELECT array_agg(v_all * a.player + a.place) INTO v_apart
        FROM seat_conflicts(p_players, ids) a (player, place);
    END IF;
    places := array_fill(0, ARRAY[v_n]);
    wanted := '{}';
    openers := '{}';
    FOR v_i IN 1..v_n LOOP
        v_best := 0;
        FOR v_k IN 1..coalesce(cardinality(v_free), 0) LOOP
            CONTINUE WHEN v_free[v_k] = 0;
            IF v_apart IS NOT NULL THEN
                CONTINUE WHEN v_k <= v_found AND v_all * v_i + v_k = ANY (v_apart);
                CONTINUE WHEN EXISTS (SELECT FROM generate_series(1, v_i - 1) o
                                      WHERE places[o] = v_k AND v_all * v_i + v_found + o = ANY (v_apart));
            END IF;
            v_mean := CASE WHEN v_people[v_k] = 0 THEN v_middle
                           ELSE round(v_sums[v_k]::numeric / v_people[v_k]) END;
            v_bands := abs(v_own[v_i] - v_mean) / v_band;
            IF v_best = 0 OR v_bands < v_least THEN
                v_best := v_k;
                v_least := v_bands;
            END IF;
        END LOOP;
        IF v_best = 0 THEN
            v_best := coalesce(cardinality(v_free), 0) + 1;
            v_free[v_best] := p_room.seats_n;
            v_people[v_best] := 0;
            v_sums[v_best] := 0;
            openers := openers || v_i;
        ELSIF v_best <= v_found AND ids[v_best] <> ALL (wanted) THEN
            wanted := wanted || ids[v_best];
        END IF;
        places[v_i] := v_best;
        v_free[v_best] := v_free[v_best] - 1;
        v_people[v_best] := v_people[v_best] + 1;
        v_sums[v_best] := v_sums[v_best] + v_own[v_i];
    END LOOP;
END $$;

COMMENT ON FUNCTION choose_tables IS
'Seats for players who request one in a room, placed one after another. Each gets the table whose players
have the most similar ratings, including those placed there before them; among equals, the oldest. No one is
placed with a player they must not meet, or twice at one table. A player for whom there is no table opens
one. Checks at most 64 tables and none in p_skip. ids: the tables checked; people, takes: their state at
that time. places: for each requester, a number from 1: an index into ids or, above those, a table that is
yet to be opened. wanted: the ids that occur in places. openers: for each table to be opened, the number of
the first requester who sits there. Locks and writes nothing; the caller takes the tables only if they have
not changed.
Called by find_tables.';
