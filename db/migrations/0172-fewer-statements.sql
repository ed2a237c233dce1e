-- The ledger's and a seat's own statements, fewer of them.

-- First the proof, which is all that lines leave to do whose balances moved with them; the purses of lines that brought their balances are moved then,
-- and proven.
CREATE OR REPLACE FUNCTION ledger_balances_follow() RETURNS trigger LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    v_account bigint;
BEGIN
    FOR v_try IN 1..2 LOOP
        SELECT l.account_id INTO v_account
        FROM (SELECT o.account_id, min(o.id) AS first_id, count(*) AS n, count(o.balance_after) AS known, max(o.balance_after - o.running) AS began,
                     min(o.balance_after - o.running) AS began_too, (array_agg(o.balance_after ORDER BY o.id DESC))[1] AS last,
                     min(o.balance) AS balance
              FROM (SELECT p.id, p.account_id, p.balance_after, a.balance, sum(p.amount) OVER (PARTITION BY p.account_id ORDER BY p.id) AS running
                    FROM added p JOIN accounts a ON a.id = p.account_id AND a.kind <> 'house') o
              GROUP BY o.account_id) l
        WHERE l.known <> l.n OR l.began <> l.began_too OR l.balance <> l.last
           OR l.n <> (SELECT count(*) FROM postings q WHERE q.account_id = l.account_id AND q.id >= l.first_id)
           OR l.began <> coalesce((SELECT q.balance_after FROM postings q WHERE q.account_id = l.account_id AND q.id < l.first_id
                                   ORDER BY q.id DESC LIMIT 1), 0)
        LIMIT 1;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
        EXIT WHEN v_try = 2;
        WITH moved AS (
            SELECT p.account_id, (array_agg(p.balance_after ORDER BY p.id DESC))[1] AS last, sum(p.amount) AS amount
            FROM added p JOIN accounts a ON a.id = p.account_id AND a.kind <> 'house' GROUP BY p.account_id
        )
        UPDATE accounts a SET balance = m.last FROM moved m
        WHERE a.id = m.account_id AND a.balance <> m.last AND a.balance = m.last - m.amount;
    END LOOP;
    RAISE EXCEPTION 'ledger: the balance of account % does not follow from its postings', v_account USING ERRCODE = 'check_violation';
END $$;

-- One look for all that can be wrong with the lines of a transfer; what names no account comes first, then sums.
CREATE OR REPLACE FUNCTION ledger_transfer_balanced() RETURNS trigger LANGUAGE plpgsql
    SET plan_cache_mode = force_generic_plan SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    v_transfer bigint;
    v_alone    boolean;
    v_wrong    boolean;
    v_head     boolean;
BEGIN
    SELECT g.transfer_id, bool_or(g.alone), bool_or(g.wrong), EXISTS (SELECT 1 FROM transfers t WHERE t.id = g.transfer_id)
    INTO v_transfer, v_alone, v_wrong, v_head
    FROM (SELECT p.transfer_id, a.currency, count(*) AS n, bool_or(a.id IS NULL) AS alone,
                 sum(p.amount) <> 0 OR coalesce(bool_or(a.kind = 'house' AND p.balance_after IS NOT NULL), true) AS wrong
          FROM added p LEFT JOIN accounts a ON a.id = p.account_id GROUP BY p.transfer_id, a.currency) g
    GROUP BY g.transfer_id
    HAVING bool_or(g.alone) OR bool_or(g.wrong) OR NOT EXISTS (SELECT 1 FROM transfers t WHERE t.id = g.transfer_id)
        OR sum(g.n) <> (SELECT count(*) FROM postings q WHERE q.transfer_id = g.transfer_id)
    ORDER BY 2 DESC, 3 DESC LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    ELSIF v_alone THEN
        RAISE EXCEPTION 'ledger: transfer % has a line of no account', v_transfer USING ERRCODE = 'foreign_key_violation';
    ELSIF v_wrong THEN
        RAISE EXCEPTION 'ledger: transfer % does not sum to zero', v_transfer USING ERRCODE = 'check_violation';
    ELSIF NOT v_head THEN
        RAISE EXCEPTION 'ledger: there is no transfer %', v_transfer USING ERRCODE = 'foreign_key_violation';
    END IF;
    RAISE EXCEPTION 'ledger: transfer % has its postings already', v_transfer USING ERRCODE = 'check_violation';
END $$;

-- A leg of nothing needs no account: the ledger leaves it out.
CREATE OR REPLACE FUNCTION credit_legs(p_player bigint, p_currency text, p_amount bigint, p_cause text) RETURNS ledger_leg[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_purse bigint := CASE WHEN p_amount <> 0 THEN account_purse(p_player, p_currency) END;
    v_lost  bigint := CASE WHEN p_amount <> 0 AND p_currency = 'silver' THEN silver_over_cap(p_player, p_amount) ELSE 0 END;
BEGIN
    RETURN ARRAY[
        ROW(CASE WHEN p_amount <> 0 THEN account_house(p_cause, p_currency) END, -p_amount, p_cause),
        ROW(v_purse, p_amount, p_cause),
        ROW(v_purse, -v_lost, 'over_cap'),
        ROW(CASE WHEN v_lost <> 0 THEN account_house('over_cap', p_currency) END, v_lost, 'over_cap')]::ledger_leg[];
END $$;

CREATE OR REPLACE FUNCTION settle_legs(p_seat seats, p_outcome text, p_stake bigint, p_reward bigint) RETURNS ledger_leg[]
    LANGUAGE plpgsql AS $$
DECLARE
    v_lost     boolean := p_outcome = 'lost';
    v_reason   text := CASE WHEN p_outcome = 'lost' THEN 'stake_lost' ELSE 'stake_back' END;
    v_currency text;
    v_stake    bigint;
    v_legs     ledger_leg[] := '{}';
    v_gold     bigint;
BEGIN
    FOREACH v_currency IN ARRAY ARRAY['silver', 'gold'] LOOP
        v_stake := CASE v_currency WHEN 'silver' THEN p_seat.stake_silver ELSE p_seat.stake_gold END;
        CONTINUE WHEN v_stake = 0;
        v_legs := v_legs || ARRAY[
            ROW(account_hold(p_seat.table_id, p_seat.player_id, v_currency), -v_stake, 'stake'),
            ROW(CASE WHEN v_lost THEN account_house('stake', v_currency) ELSE account_purse(p_seat.player_id, v_currency) END, v_stake, v_reason)
            ]::ledger_leg[];
    END LOOP;
    IF p_outcome = 'won' THEN
        -- Who plays with gold wins gold.
        v_gold := CASE WHEN p_stake > 0 THEN p_reward * p_seat.stake_gold / p_stake ELSE 0 END;
        v_legs := v_legs || credit_legs(p_seat.player_id, 'silver', p_reward - v_gold, 'reward')
                         || credit_legs(p_seat.player_id, 'gold', v_gold, 'reward');
    END IF;
    RETURN v_legs;
END $$;

CREATE OR REPLACE FUNCTION seat_refusal(p_player bigint, p_room rooms) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_level integer;
BEGIN
    SELECT level INTO v_level FROM players WHERE id = p_player;
    IF v_level < (SELECT level_from FROM titles WHERE name = p_room.title) THEN
        RETURN 'room_locked';
    END IF;
    IF (SELECT count(*) FROM seats WHERE player_id = p_player AND live) >= setting_int('tables_per_player_max') THEN
        RETURN 'too_many_tables';
    END IF;
    IF (SELECT sum(balance) FROM accounts WHERE kind = 'purse' AND player_id = p_player) < p_room.stake THEN
        RETURN 'no_funds';
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION do_create_player(p_kind text, p_nickname text, p_avatar text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_player bigint;
    v_silver bigint := setting_int('welcome_silver');
    v_gold   bigint := setting_int('welcome_gold');
BEGIN
    INSERT INTO players (kind, nickname, avatar) VALUES (p_kind, p_nickname, p_avatar) RETURNING id INTO v_player;
    INSERT INTO accounts (kind, currency, player_id) VALUES ('purse', 'silver', v_player), ('purse', 'gold', v_player);
    IF v_silver + v_gold > 0 THEN
        PERFORM ledger_post('welcome', 'welcome:' || v_player, NULL, '',
            credit_legs(v_player, 'silver', v_silver, 'welcome') || credit_legs(v_player, 'gold', v_gold, 'welcome'));
    END IF;
    RETURN v_player;
END $$;

CREATE OR REPLACE FUNCTION do_take_seat(p_player bigint, p_room text, p_idem_key text, p_body_hash bytea, p_ticket uuid,
                                        p_server_seed bytea, p_commit bytea, p_node text)
    RETURNS TABLE (code text, table_id bigint, seat smallint, ticket uuid, expires_at timestamp with time zone, commit bytea, node text, repeated boolean)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_answer jsonb;
    v_new    boolean := false;
    v_player players;
    v_room   rooms;
    v_table  tables;
    v_seat   smallint;
    v_code   text;
    v_until  timestamptz;
BEGIN
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'no_such_player', NULL::bigint, NULL::smallint, NULL::uuid, NULL::timestamptz, NULL::bytea,
                            NULL::text, false;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'take_seat', p_body_hash);
    IF v_answer IS NULL THEN
        v_new := true;
        SELECT * INTO v_room FROM rooms WHERE id = p_room;
        v_code := CASE WHEN v_player.banned_at IS NOT NULL THEN 'banned'
                       WHEN v_room.id IS NULL THEN 'no_such_room'
                       WHEN NOT v_room.open THEN 'room_closed'
                       ELSE seat_refusal(p_player, v_room) END;
        IF v_code IS NULL THEN
            v_table := find_table(p_player, v_room, p_node, p_server_seed, p_commit);
            v_seat := seat_player(p_player, v_table);
            INSERT INTO tickets (id, table_id, player_id, seat, expires_at)
            VALUES (p_ticket, v_table.id, p_player, v_seat,
                    now() + make_interval(secs => setting_int('ticket_ttl_ms') / 1000.0))
            RETURNING expires_at INTO v_until;
            v_answer := jsonb_build_object('code', 'ok', 'table_id', v_table.id, 'seat', v_seat, 'ticket', p_ticket,
                                           'expires_at', v_until, 'commit', encode(v_table.commit, 'hex'), 'node', v_table.node);
        ELSE
            v_answer := jsonb_build_object('code', v_code);
        END IF;
        INSERT INTO idempotency (player_id, key, action, body_hash, answer)
        VALUES (p_player, p_idem_key, 'take_seat', p_body_hash, v_answer);
    END IF;
    code := v_answer->>'code';
    table_id := v_answer->>'table_id';
    seat := v_answer->>'seat';
    ticket := v_answer->>'ticket';
    expires_at := v_answer->>'expires_at';
    commit := decode(v_answer->>'commit', 'hex');
    node := v_answer->>'node';
    repeated := NOT v_new;
    RETURN NEXT;
END $$;

-- Where no seat is free there are no bots to write.
CREATE OR REPLACE FUNCTION do_start_table(p_table bigint, p_epoch bigint, p_bot_nicknames text[], p_bot_level integer, p_client_seeds bytea[]) RETURNS TABLE(code text, practice boolean)
    LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_code  text;
    v_practice boolean := false;
BEGIN
    SELECT * INTO v_table FROM tables WHERE id = p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                   WHEN NOT node_holds(v_table.node, p_epoch) THEN 'stale_epoch'
                   WHEN v_table.state = 'playing' THEN 'already_done'
                   WHEN v_table.state <> 'waiting' THEN 'table_over'
                   WHEN v_table.people_n = 0 THEN 'table_empty'
                   WHEN v_table.people_n + v_table.bots_n < v_table.seats_n
                        AND NOT coalesce((SELECT bots FROM rooms WHERE id = v_table.room_id), false)
                   THEN 'seats_free'
                   WHEN cardinality(p_bot_nicknames) < v_table.seats_n - v_table.people_n
                        OR cardinality(p_client_seeds) <> v_table.seats_n THEN 'too_few_bots'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        IF v_table.people_n < v_table.seats_n THEN
            INSERT INTO seats (table_id, seat, bot_level, nickname)
            SELECT p_table, f.seat, p_bot_level, p_bot_nicknames[f.n]
            FROM (SELECT g AS seat, row_number() OVER (ORDER BY g) AS n FROM generate_series(0, v_table.seats_n - 1) g
                  WHERE NOT EXISTS (SELECT 1 FROM seats s WHERE s.table_id = p_table AND s.seat = g)) f;
        END IF;
        UPDATE seats SET client_seed = p_client_seeds[seat + 1]
        WHERE table_id = p_table AND player_id IS NOT NULL;
        UPDATE tables SET state = 'playing', started_at = now() WHERE id = p_table;
        INSERT INTO hands (table_id, hand_no, server_seed, commit, client_seeds, dealt_at)
        SELECT p_table, v_table.hand_no, v_table.server_seed, v_table.commit,
               pack_seeds(array_agg(s.client_seed ORDER BY s.seat)), now()
        FROM seats s WHERE s.table_id = p_table;
        v_practice := v_table.practice;
        IF v_table.people_n = 1 AND NOT v_table.practice THEN
            v_practice := start_alone(v_table);
        END IF;
    END IF;
    RETURN QUERY SELECT v_code, CASE WHEN v_code = 'already_done' THEN v_table.practice ELSE v_practice END;
END $$;
