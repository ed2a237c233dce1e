-- Privileges of the roles other than the owner; anything not listed here is denied. docs/ledger.md gives the
-- reasons; tests/db/test_roles.py checks that each entry is needed. `rummyd migrate` applies this file last,
-- in one transaction with functions and data. ":server" and ":read" are placeholders for the role names
-- (docs/configuration.md).

-- ==== Start with nothing ===================================================================================

DO $$
DECLARE
    v_what text;
BEGIN
    EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC, ":server", ":read"',
                   current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO ":server", ":read"', current_database());
    REVOKE CREATE ON SCHEMA public FROM PUBLIC, ":server", ":read";
    GRANT USAGE ON SCHEMA public TO ":server", ":read";
    FOR v_what IN
        SELECT format('%s %s', CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass)
        FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S')
          AND pg_get_userbyid(relowner) = current_user
        UNION ALL
        SELECT 'FUNCTION ' || f.signature FROM schema_state, unnest(functions) AS f (signature)
    LOOP
        EXECUTE format('REVOKE ALL ON %s FROM PUBLIC, ":server", ":read"', v_what);
    END LOOP;
END $$;

-- ==== Server: functions ====================================================================================

-- All functions by which the server changes data or reads secrets. They run with the rights of their owner
-- and with a search path free of other users' tables. The server has no other way to write.
GRANT EXECUTE ON FUNCTION
    do_accept_invite, do_admin_achievement, do_admin_approve_grant, do_admin_ban, do_admin_cancel,
    do_admin_cancel_tournament, do_admin_change_club, do_admin_close_club, do_admin_close_report,
    do_admin_club, do_admin_clubs, do_admin_collusion, do_admin_data, do_admin_deletion, do_admin_deliveries,
    do_admin_drain, do_admin_end_sessions, do_admin_factor_off, do_admin_flags, do_admin_grant,
    do_admin_grants, do_admin_key, do_admin_keys, do_admin_lost_moves, do_admin_lost_record,
    do_admin_lost_tables, do_admin_make_key, do_admin_mute, do_admin_nodes, do_admin_note,
    do_admin_one_grant, do_admin_one_tournament, do_admin_open_room, do_admin_order, do_admin_orders,
    do_admin_pack, do_admin_player, do_admin_player_by_email, do_admin_players, do_admin_prize_table,
    do_admin_proof, do_admin_rebalance, do_admin_record, do_admin_redeliver, do_admin_refuse_grant,
    do_admin_rename, do_admin_reports, do_admin_revoke_key, do_admin_room, do_admin_rotate_key,
    do_admin_separate, do_admin_settle_flag, do_admin_status, do_admin_table, do_admin_tables,
    do_admin_tournament, do_admin_tournament_entries, do_admin_tournaments, do_admin_webhook,
    do_admin_webhook_change, do_admin_webhook_ping, do_admin_webhook_remove, do_admin_webhook_secret,
    do_admin_webhooks, do_adopt_tables, do_befriend, do_block, do_bot_change, do_bot_make, do_bot_retire,
    do_bot_token_make, do_bot_token_revoke, do_cancel_deletion, do_cancel_table, do_change_club,
    do_change_email, do_change_me, do_change_password, do_chat, do_close_club, do_club_chat,
    do_confirm_email, do_counts_due, do_create_club, do_daily_days, do_daily_play, do_deal_hand,
    do_delete_club_line, do_delivery_claim, do_delivery_result, do_end_hand, do_end_session, do_end_sessions,
    do_enter_bot, do_enter_factor, do_enter_guest, do_enter_identity, do_enter_login, do_enter_passkey,
    do_enter_refresh, do_enter_registered, do_enter_tournament, do_enter_upgraded, do_export_step,
    do_factor_begin, do_factor_codes, do_factor_confirm, do_factor_confirm_begin, do_factor_off,
    do_factor_reseal, do_factor_setup, do_fold_boards, do_forget_moves, do_forgot_password,
    do_hand_over_table, do_identity_begin, do_identity_take, do_invite_friend, do_invites, do_job,
    do_join_club, do_join_table, do_journal_append, do_leave_club, do_leave_seat, do_link_identity,
    do_links_due, do_lobby_players, do_lobby_ticket, do_lock_tables, do_login_begin, do_login_failed,
    do_logout, do_lose_table, do_mail_claim, do_mail_result, do_new_ticket, do_node_renew, do_node_start,
    do_open_table, do_passkey_add, do_passkey_begin, do_passkey_login_begin, do_passkey_name,
    do_passkey_remove, do_passkey_take, do_purge, do_push_device, do_push_device_remove, do_push_pause,
    do_push_settings, do_puzzle_checked, do_puzzle_claim, do_puzzle_days, do_puzzle_import, do_puzzle_mined,
    do_puzzle_release, do_puzzle_try, do_read_notifications, do_reauth_begin, do_redeem_tickets, do_rematch,
    do_report, do_report_club, do_report_club_line, do_request_deletion, do_request_export,
    do_reset_password, do_seal_ledger, do_seat_batch, do_send_verification, do_set_limits, do_set_seed,
    do_settle_batch, do_shop_claim, do_shop_claim_deliveries, do_shop_claim_due, do_shop_claim_list,
    do_shop_claim_news, do_shop_claim_refunds, do_shop_delivered, do_shop_event, do_shop_listed,
    do_shop_opened, do_shop_order, do_shop_receipt, do_shop_refund, do_shop_refund_result, do_shop_refused,
    do_shop_sweep, do_shop_unknown, do_sleep_table, do_slow_turn, do_spectator_ticket, do_start_batch,
    do_take_seat, do_tournament_step, do_undo_email, do_unfriend, do_unlink_identity, do_unlock_login,
    do_vacation, do_wake_due, do_wake_table, do_wallet_bonus, do_webhook_secret_reseal, do_week_notices,
    do_withdraw_tournament, q_audit, q_bot_tokens, q_bots, q_daily_deals, q_daily_seeds, q_delivery_queue,
    q_ended_sessions, q_export_part, q_factor, q_factors_sealed, q_game_hands, q_identities, q_invite_link,
    q_invites, q_job_list, q_mail_queue, q_my_account, q_my_puzzles, q_page, q_passkeys, q_push_devices,
    q_push_settings, q_puzzle, q_puzzle_daily, q_puzzle_export, q_puzzle_next, q_puzzles_unchecked,
    q_reset_link, q_reset_ways, q_season_preview, q_sessions, q_table_seeds, q_tournament,
    q_tournament_order, q_webhook_secrets_sealed
TO ":server";

DO $$
DECLARE
    v_function regprocedure;
BEGIN
    FOR v_function IN
        SELECT p.oid FROM pg_proc p CROSS JOIN LATERAL aclexplode(p.proacl) a
        WHERE p.pronamespace = 'public'::regnamespace AND a.grantee = '":server"'::regrole
    LOOP
        EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = public, pg_temp', v_function);
    END LOOP;
END $$;

-- ==== Server: reading ======================================================================================

-- Granted directly, so that PostgreSQL can inline functions into statements. No passwords, keys, tokens,
-- tickets, or stored replies.
GRANT SELECT ON
    accounts, achievements, board_entries, board_moves, board_pieces, board_tops, boards, bot_accounts,
    chip_grants, club_chat, club_members, clubs, daily_deals, deal_plays, deal_scores, deletions, exports,
    friends, game_players, invites, jobs, journal, league_members, league_prizes, league_rows, leagues,
    ledger_chain, ledger_heads, ledger_seal, levels, limit_currencies, lobby_players, lost_tables,
    month_winners, name_keys, node_leases, nodes, notifications, play_limits, player_achievements,
    player_blocks, player_counters, player_days, player_stats, players, postings, quest_progress, quests,
    ranked_variants, ratings, reports, rooms, schema_migrations, schema_state, season_results, seasons,
    seats, settings, shop_flags, shop_orders, shop_packs, shop_products, shop_refunds, shop_transfers,
    slow_turns, table_chat, titles, tournament_entries, tournament_seats, tournament_tables, tournaments,
    transfers, vacations, withheld_players
TO ":server";
-- All columns except the seeds that deal hidden cards, and the records that reveal them. q_table_seeds
-- returns those of a live table; q_game_hands returns those of a finished game.
DO $$
DECLARE
    v_table regclass;
BEGIN
    FOREACH v_table IN ARRAY ARRAY['deals', 'games', 'hands', 'tables', 'tournament_deals']::regclass[]
    LOOP
        EXECUTE (SELECT format('GRANT SELECT (%s) ON %s TO ":server"', string_agg(quote_ident(attname), ', '),
                               v_table)
                 FROM pg_attribute
                 WHERE attrelid = v_table AND attnum > 0 AND NOT attisdropped
                       AND attname NOT IN ('seed', 'server_seed', 'record'));
    END LOOP;
END $$;
-- Last assigned numbers, for the ledger check.
GRANT SELECT ON SEQUENCE accounts_id_seq, postings_id, transfers_id_seq TO ":server";
GRANT EXECUTE ON FUNCTION
    account_purse, board_among, board_behind, board_games, board_lines, board_named, board_page,
    board_page_among, board_part, board_place, board_places, board_refusal, board_value, club_admits,
    club_json, club_line_json, daily_amount, daily_amount_of, daily_key, daily_own_json, daily_state,
    daily_streak, deal_is_open, deal_left_score, deal_standing, deletion_json, deletion_waits_for,
    do_node_resume, export_json, friends_of, game_at, has_blocked, ledger_check_accounts, ledger_check_chain,
    ledger_check_days, ledger_check_results, ledger_check_rewards, ledger_check_tables,
    ledger_check_tournaments, ledger_check_transfers, ledger_day, ledger_hashes, ledger_key_fits,
    ledger_line_impossible, limit_none, limit_of, limit_worth, limits_json, local_day, local_midnight,
    midnight_of, name_changes_at, name_cooldown, node_is_alive, notification_data, notification_shown,
    owner_ws_url, played_today_s, posting_at, purchased_minor, q_achievements, q_banned_players, q_blocks,
    q_board, q_board_around, q_board_friends, q_bonus, q_club, q_club_board, q_club_chat, q_club_members,
    q_club_tables, q_clubs, q_daily_board, q_deletion, q_export, q_friends, q_friends_online, q_jobs,
    q_league_table, q_leagues, q_ledger_check, q_ledger_since, q_limits, q_lobby, q_lobby_tournaments, q_me,
    q_my_clubs, q_my_seasons, q_notifications, q_peer_nodes, q_player, q_player_variant, q_players, q_quests,
    q_shop_account, q_shop_check, q_shop_order, q_shop_orders, q_shop_packs, q_table_link, q_tournament_seat,
    q_tournament_standings, q_tournament_tables, q_tournaments, q_tournaments_due, q_vacation, q_week,
    quest_json, quest_key, quest_week, quests_of, rfc3339, same_deal_result, setting_int, shop_account,
    shop_order_json, shop_order_wrong, socket_url, streak_before, tournament_beaten, tournament_due,
    tournament_json, tournament_overdue, tournament_room, unpack_seeds, vacation_is_on, vacation_json,
    vacation_left, vacation_year, week_counts, week_friends_json, week_games, week_of, week_variants_json
TO ":server";

-- ==== Read role: backups, figures, and ledger checks =======================================================

-- Everything, including partitions that are created later.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO ":read";
DO $$
DECLARE
    v_what regclass;
BEGIN
    FOR v_what IN SELECT oid FROM pg_class
                  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S')
                    AND pg_get_userbyid(relowner) = current_user
    LOOP
        EXECUTE format('GRANT SELECT ON %s TO ":read"', v_what);
    END LOOP;
END $$;
GRANT EXECUTE ON FUNCTION
    board_score, ledger_check_accounts, ledger_check_chain, ledger_check_days, ledger_check_results,
    ledger_check_rewards, ledger_check_tables, ledger_check_tournaments, ledger_check_transfers,
    ledger_day, ledger_hashes,
    ledger_key_fits, ledger_line_impossible, q_ledger_check, q_ledger_since, q_ratings_check, q_shop_check,
    quest_key, setting_int, shop_order_wrong
TO ":read";
