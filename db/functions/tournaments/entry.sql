CREATE OR REPLACE FUNCTION entry_pay(p_tournament tournaments, p_player bigint, p_seed bytea,
                                     p_team integer)
    RETURNS tournament_entries
    LANGUAGE plpgsql AS $$
DECLARE
    v_no     integer := p_tournament.entries_no + 1;
    v_purse  bigint := account_purse(p_player, 'silver');
    v_silver bigint := least((SELECT balance FROM accounts WHERE id = v_purse), p_tournament.entry);
    v_gold   bigint := p_tournament.entry - v_silver;
    v_entry  tournament_entries;
BEGIN
    INSERT INTO tournament_entries (tournament_id, entry_no, player_id, client_seed, paid_silver, paid_gold,
                                    team)
    VALUES (p_tournament.id, v_no, p_player, p_seed, v_silver, v_gold, p_team) RETURNING * INTO v_entry;
    UPDATE tournaments
    SET entries_no = v_no, people_n = people_n + 1,
        starts_at = CASE WHEN sit_and_go AND starts_at IS NULL AND bots_to > 0
                         THEN now() + make_interval(secs => wait_s) ELSE starts_at END
    WHERE id = p_tournament.id;
    IF p_tournament.entry > 0 THEN
        PERFORM ledger_post('entry', 'entry:' || p_tournament.id || ':' || v_no, NULL, '', ARRAY[
            ROW(v_purse, -v_silver, 'entry'),
            ROW(account_pot(p_tournament.id, 'silver'), v_silver, 'entry'),
            ROW(account_purse(p_player, 'gold'), -v_gold, 'entry'),
            ROW(account_pot(p_tournament.id, 'gold'), v_gold, 'entry')]::ledger_leg[]);
    END IF;
    RETURN v_entry;
END $$;

COMMENT ON FUNCTION entry_pay IS
'Enters a player into a tournament; the fee goes into the pot, silver first. The caller has locked the
tournament, then the player, and has checked that the purse is large enough, and that p_team has a free
place.
Key of the transfer: `entry:<tournament>:<number of the entry>`.
Raises if the purse is too small, or a guard of the player''s limits refuses.
Called by do_enter_tournament.';

CREATE OR REPLACE FUNCTION entry_back(p_tournament bigint, p_player bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_entry tournament_entries;
BEGIN
    DELETE FROM tournament_entries
    WHERE tournament_id = p_tournament AND player_id = p_player AND NOT drawn RETURNING * INTO v_entry;
    UPDATE tournaments SET people_n = people_n - 1,
                           starts_at = CASE WHEN sit_and_go AND people_n = 1 THEN NULL ELSE starts_at END
    WHERE id = p_tournament;
    PERFORM entry_refund(v_entry);
END $$;

COMMENT ON FUNCTION entry_back IS
'Withdraws an entry without a seat in a round, with its fee. The caller has locked the tournament, then the
player. If the last entrant of a sit-and-go leaves, the waiting time for bots starts again.
Called by do_withdraw_tournament, entries_leave, tournament_part.';

CREATE OR REPLACE FUNCTION entry_refund(p_entry tournament_entries) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    IF p_entry.paid_silver + p_entry.paid_gold > 0 THEN
        PERFORM ledger_post('entry_back', 'entry_back:' || p_entry.tournament_id || ':' || p_entry.entry_no,
                            NULL, '', ARRAY[
            ROW(account_pot(p_entry.tournament_id, 'silver'), -p_entry.paid_silver, 'entry_back'),
            ROW(account_purse(p_entry.player_id, 'silver'), p_entry.paid_silver, 'entry_back'),
            ROW(account_pot(p_entry.tournament_id, 'gold'), -p_entry.paid_gold, 'entry_back'),
            ROW(account_purse(p_entry.player_id, 'gold'), p_entry.paid_gold, 'entry_back')]::ledger_leg[]);
    END IF;
END $$;

COMMENT ON FUNCTION entry_refund IS
'Refunds from the pot exactly what an entry has paid. The caller holds the locks.
Key of the transfer: `entry_back:<tournament>:<number of the entry>`.
Called by entry_back, tournament_refund.';
