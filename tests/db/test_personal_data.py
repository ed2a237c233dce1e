"""Which column holds which personal data, and what happens to it when the account is deleted: each column of
each table is listed here, so that a new one is reviewed before it is added. (That it happens:
tests/db/test_deletion.py.)

unrelated  nothing about a player
kept       results, payments, and ids: stay, under a meaningless name
erased     removed or cleared when the account is deleted
short      removed by itself after a while, and when the account is deleted
"""

import pytest

CLASSES = {"unrelated", "kept", "erased", "short"}

# The columns of each table by class.
COLUMNS = {
    # --- about no one
    "schema_migrations": {"unrelated": "version name checksum applied_at"},
    "schema_state": {"unrelated": "names_by only_row base code functions applied_at"},
    "settings": {"unrelated": "name value about"},
    "titles": {"unrelated": "name level_from"},
    "levels": {"unrelated": "level title points_needed reward_gold silver_cap"},
    "limit_currencies": {"unrelated": "currency worth"},
    "nodes": {"unrelated": "name epoch starts stopped_at"},
    "node_leases": {
        "unrelated": (
            "node epoch state renewals alive_at seen_at ws_url version table_max tables sockets lobby drain"
            " pass_n"
        )
    },
    "rooms": {
        "unrelated": (
            "id position name variant params seats_n stake reward multiplier_tenths title bots bot_level "
            "fill_wait_ms open watch_delay_ms bot_accounts"
        ),
    },
    "place_points": {"unrelated": "variant place points"},
    "throw_rates": {"unrelated": "variant seats_n chances taken"},
    "causes": {"unrelated": "cause about"},
    "ledger_chain": {"unrelated": "transfer_id hash"},
    "ledger_seal": {"unrelated": "only_row transfer_id hash mark writers"},
    "ledger_heads": {"unrelated": "day transfer_id hash at"},
    "ranked_variants": {"unrelated": "variant"},
    "boards": {"unrelated": "id kind variant period"},
    "board_pieces": {"unrelated": "board_id score tie scores ties reach"},
    "board_tops": {"unrelated": "board_id scores ties above"},
    "board_moves": {"unrelated": "board_id score tie change"},
    "month_prizes": {"unrelated": "variant kind place gold"},
    "month_closings": {"unrelated": "period closed_at"},
    "leagues": {
        "unrelated": (
            "id position name promote_rating promote_places relegate_rating relegate_places opens_players"
            " open"
        )
    },
    "league_prizes": {"unrelated": "league_id place gold"},
    "seasons": {"unrelated": "no starts_at ends_at state step at_position at_place at_score at_player cuts"},
    "achievements": {"unrelated": "id position gold counter goal"},
    "chip_grants": {
        "kept": "id at player_id key_id currency amount reason state settled_at settled_by over_cap",
        "erased": "note",
    },
    "api_keys": {
        "unrelated": (
            "id name role holder scopes key_hash prefix old_hash old_until made_by created_at rotated_at"
            " expires_at revoked_at"
        )
    },
    "webhook_endpoints": {"unrelated": "id url events active created_at failing_since off_at"},
    "webhook_secrets": {"unrelated": "id endpoint_id sealed kid until"},
    # Only ids of players: api/webhook_events.def.
    "push_devices": {
        "erased": "id player_id session_id kind address point auth created_at used_at here_until"
    },
    "push_kinds": {"unrelated": "kind notification needs urgent ttl_s topic wanted"},
    "push_settings": {"erased": "player_id setting wanted"},
    "deliveries": {
        "short": (
            "id token endpoint_id device_id event body created_at tries taken next_try sent_at failed_at"
            " status said"
        )
    },
    "shop_packs": {"unrelated": "id position name gold price_minor currency on_sale"},
    "shop_products": {"unrelated": "store product pack_id"},
    "shop_transitions": {"unrelated": "from_state to_state"},
    "shop_lists": {"unrelated": "provider listed_until asked_at"},
    "jobs": {"unrelated": "job every_s grace_s since done_at by_time"},
    "job_runs": {"unrelated": "id job key_id idem_key body_hash started_at done_at steps result"},
    "partitioned": {"unrelated": "parent key kind width ahead keep"},
    "partitions": {"unrelated": "parent no made_at"},
    "journal": {"unrelated": "table_id hand_no v epoch seat move hash command at time_bank_ms hand_clock_ms"},
    "lost_moves": {
        "unrelated": "table_id hand_no v epoch seat move hash command at time_bank_ms hand_clock_ms"
    },
    # --- identity, credentials, sessions
    "players": {
        "kept": "id kind role level level_points clover_points banned_at deleted_at created_at language",
        "erased": (
            "nickname nickname_folded nickname_given nickname_changed_at avatar chat_muted_until"
            " email_verified_at"
        ),
    },
    "bot_accounts": {"kept": "player_id owner_id created_at retired_at"},
    "bot_tokens": {
        "erased": "id player_id name scopes token_hash prefix session_id created_at used_at expires_at"
    },
    "name_keys": {"erased": "key player_id until"},
    "credentials": {"erased": "player_id email password_hash created_at"},
    "guest_devices": {"erased": "player_id secret_hash old_hash replaced_at"},
    "identities": {"erased": "id player_id issuer subject email created_at used_at"},
    "identity_flows": {"short": "secret_hash issuer redirect_uri player_id source expires_at"},
    "sessions": {
        "short": "id player_id created_at used_at idle_at over_at ended_at",
        "erased": "app system network",
    },
    "lobby_players": {"short": "player_id node epoch"},
    "refresh_tokens": {"short": "token_hash session_id issued_at used_at next_hash"},
    "login_attempts": {"short": "id account_hash source device_hash at failed factor"},
    "totp_factors": {"erased": "player_id sealed kid created_at on_at tries last_step"},
    "recovery_codes": {"erased": "player_id code_hash"},
    "login_challenges": {"erased": "token_hash player_id tries expires_at"},
    "account_origins": {"short": "player_id address_hash day"},
    "withheld_players": {"erased": "player_id"},
    "known_devices": {"short": "token_hash player_id used_at"},
    "passkey_handles": {"erased": "player_id handle"},
    "passkeys": {
        "erased": (
            "id player_id credential_id algorithm public_key sign_count backup_eligible backed_up transports"
            " name created_at used_at"
        )
    },
    "passkey_challenges": {"short": "slot challenge_hash session_id expires_at"},
    "mails": {
        "short": (
            "id token player_id address template data created_at tries held next_try sent_at failed_at said"
        )
    },
    "mail_proofs": {"short": "token_hash player_id kind address expires_at used_at proved"},
    "link_requests": {"short": "id kind email"},
    "idempotency": {"short": "player_id key action body_hash answer at"},
    "tickets": {"short": "id table_id player_id seat expires_at used_at"},
    "play_limits": {"erased": "player_id kind value next_value next_at"},
    # --- play
    "tables": {
        "unrelated": (
            "id room_id variant params seats_n people_n takes_n stake reward multiplier_tenths state practice"
            " solo_day node hand_no server_seed commit created_at fill_at started_at ended_at visibility"
            " club_id options bots_n bot_level code watch_delay_ms rematch_of point_value bots_kept"
            " stopped_at bot_accounts turn_hours asleep cancel_asked_at deal_id tournament_id"
        ),
        "kept": "creator_id",
    },
    "tournaments": {
        "unrelated": (
            "id name kind variant params options seats_n advance_n keep_percent rounds_n entry prize_table"
            " entries_min entries_max bots_to bot_level sit_and_go starts_at late_s wait_s break_s draws_max"
            " commit clients state reason people_n bots_n entries_no round_no draw_no round_over next_at"
            " round_ends_at late_until created_at started_at ended_at duplicate deal_commit"
        )
    },
    "tournament_secrets": {"unrelated": "tournament_id seed"},
    "tournament_entries": {
        "kept": (
            "tournament_id entry_no team player_id bot_level bot_name client_seed paid_silver paid_gold live"
            " entered_at drawn score margin matchpoints wins byes out_round place prize_silver prize_gold"
        )
    },
    "tournament_draws": {
        "unrelated": "tournament_id draw_no round_no seed clients entries_to repeats least drawn_at"
    },
    "tournament_deals": {"unrelated": "tournament_id round_no deal_id seed"},
    "tournament_tables": {
        "unrelated": "tournament_id round_no table_no draw_no seats_n people_n table_id tries over_at by_lot"
    },
    "tournament_seats": {
        "kept": (
            "tournament_id round_no table_no seat entry_no lot place points score margin deal_points beaten"
            " compared"
        )
    },
    "prize_tables": {"unrelated": "id created_at"},
    "prize_shares": {"unrelated": "prize_table entries_min place share"},
    "seats": {
        "kept": (
            "table_id seat player_id bot_level client_seed stake_silver stake_gold take taken_at live left_at"
        ),
        "erased": "nickname avatar",
    },
    "slow_turns": {"short": "table_id seat player_id v due_at left_for told"},  # only during the turn
    "vacations": {"erased": "player_id year used since until"},
    "hands": {
        "unrelated": "table_id hand_no server_seed commit client_seeds dealt_at ended_at ending results",
        "erased": "record",
    },  # only the name in it is erased; see record_renamed
    "lost_tables": {"unrelated": "table_id node at code data ended_at", "erased": "record"},
    "table_chat": {"kept": "id table_id player_id seat kind command at", "erased": "text"},
    "games": {
        "unrelated": (
            "id table_id hand_no room_id variant params stake reward multiplier_tenths people_n rated"
            " bots_rated practice ending moves_n server_seed commit started_at ended_at"
        ),
    },
    "game_players": {
        "kept": (
            "game_id seat player_id client_seed place points opened cards_left won rummy left_early"
            " game_points clover silver gold silver_lost level_gold level levels_gained title rating facts"
            " variant turns own_turns took_part same_people"
        ),
        "erased": "nickname avatar",
    },
    "deals": {
        "unrelated": "id variant params options seats_n bot_level best_high seed client_seed opens_at number"
    },
    "deal_plays": {
        "kept": (
            "deal_id player_id table_id state started_at ended_at game_id points place left_early score"
            " ranked"
        )
    },
    "deal_scores": {"unrelated": "deal_id score plays_n"},
    "daily_variants": {"unrelated": "variant position seats_n options bot_level best_high open"},
    "daily_days": {"unrelated": "day seed commit committed_at client_seed closed"},
    "daily_deals": {"unrelated": "day variant deal_id"},
    "daily_seeds": {"unrelated": "id day seed"},  # published without the author
    "puzzles": {
        "unrelated": (
            "id variant players_n seat theme tags position options choices answer origin game_id hand_no"
            " turn_no move_no rating rd volatility tries_n solved_n reserved deals_n made_at checked_at"
            " withdrawn_at"
        )
    },
    "puzzle_days": {"unrelated": "day puzzle_id"},
    "week_notices": {"unrelated": "week after done_at"},
    "puzzle_players": {
        "erased": "player_id rating rd volatility tried_n solved_n streak streak_best streak_day"
    },
    "puzzle_tries": {
        "erased": (
            "player_id puzzle_id at choice solved rating_before rating puzzle_rating streak streak_best"
        )
    },
    "puzzle_mining": {"unrelated": "only_row game_id holder held_until"},
    "puzzle_games_due": {"unrelated": "game_id"},
    "player_stats": {
        "kept": "player_id variant games rated points wins opened rummies places streak streak_best"
    },
    "player_days": {"kept": "player_id bonus_day together_day played_day streak streak_best"},
    "solo_games": {"short": "player_id day games"},
    "meetings": {"short": "low_id high_id day games"},
    "ratings": {"kept": "player_id variant period games points wins rummies rating clover bot lost"},
    "board_entries": {
        "erased": "board_id player_id score"
    },  # those of leagues are kept, because a season's table is a result
    "month_winners": {"kept": "period variant kind place player_id value gold"},
    "league_members": {"kept": "player_id position since"},
    "league_rows": {"kept": "season_no player_id position games points wins rating"},
    "league_games": {"kept": "season_no player_id room_position games points wins lost"},
    "season_results": {
        "kept": "season_no player_id position place games rating to_position reason rule prize_gold"
    },
    "player_achievements": {"kept": "player_id achievement_id gold earned_at"},
    "player_counters": {"kept": "player_id counter n"},
    "counts_due": {"short": "id player_id counter n at"},
    "quests": {"unrelated": "id slot counter variant goal gold on_offer"},
    "quest_progress": {
        "kept": "player_id week quest_id n gold done_at"
    },  # completed ones are kept for the ledger; the others are removed
    # --- possessions and payments
    "accounts": {"kept": "id kind currency player_id table_id cause balance tournament_id"},
    "transfers": {"kept": "id cause key table_id note at"},
    "postings": {"kept": "id transfer_id account_id amount reason balance_after"},
    "shop_orders": {
        "kept": (
            "id token player_id idem_key body_hash pack_id gold price_minor currency provider state product"
            " provider_ref pay_url payment_ref why paid_minor refunded_minor gold_back gold_short created_at"
            " expires_at paid_at delivered_at asked_at asks"
        ),
    },  # as long as bookkeeping law requires
    "shop_order_log": {"kept": "id order_id at from_state to_state why"},
    "shop_transfers": {"kept": "transfer_id order_id what gold"},
    "shop_events": {
        "kept": (
            "provider event_id at kind order_id payment_ref subject amount_minor price_minor currency part"
            " happened_at contradicts"
        ),
    },
    "shop_refunds": {
        "kept": "id order_id key_id token reason state refund_ref why created_at asked_at asks ended_at"
    },
    "shop_flags": {"kept": "id order_id at reason gold event amount_minor currency settled_at"},
    # --- relationships and messages
    "friends": {"erased": "from_id to_id asked_at accepted_at"},
    "clubs": {
        "kept": "id name name_folded about joining members_n created_at"
    },  # belongs to all members; removed with the last one
    "club_chat": {"erased": "id club_id player_id text at"},
    "club_members": {"erased": "club_id player_id role at"},
    "player_blocks": {"erased": "player_id other_id muted blocked at"},
    "separations": {"erased": "low_id high_id at"},
    "invite_codes": {"erased": "player_id code"},
    "invites": {
        "kept": "invited_id inviter_id at state owed"
    },  # paid ones are kept for the ledger; open ones are removed
    "invites_due": {"short": "invited_id"},
    "notifications": {"erased": "id player_id at kind data read_at"},
    "reports": {
        "kept": "id reporter_id reported_id table_id club_id line_id reason state at closed_at closed_by",
        "erased": "text note said",
    },
    # --- operators
    "player_notes": {"erased": "id player_id key_id at text about hours other_id"},
    "audit": {"kept": "id at key_id action detail code"},  # only ids: tests/http/test_deletion.py
    "admin_answers": {"short": "key_id idem_key body_hash answer at"},
    "exports": {
        "short": "id player_id asked_at section after_id parts_n lines_n bytes stepped_at ready_at expires_at"
    },
    "export_parts": {"short": "export_id part text"},
    "deletions": {"kept": "player_id asked_at due_at key_id reminded_at no erased_at at_table done_at"},
}


def test_every_class_is_explained():
    for table, classes in COLUMNS.items():
        assert set(classes) <= CLASSES, table


def test_every_table_is_classified(rows):
    there = {
        name
        for (name,) in rows(
            """SELECT c.relname FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
                                       AND c.relnamespace = 'public'::regnamespace"""
        )
    }
    assert there == set(COLUMNS), there ^ set(COLUMNS)


@pytest.mark.parametrize("table", sorted(COLUMNS))
def test_every_column_is_classified_once(rows, table):
    there = [
        name
        for (name,) in rows(f"""SELECT column_name FROM information_schema.columns
                                        WHERE table_schema = 'public' AND table_name = '{table}'""")
    ]
    named = [column for names in COLUMNS[table].values() for column in names.split()]
    assert sorted(named) == sorted(there), set(named) ^ set(there)


def test_references_to_players_are_not_classified_as_unrelated(rows):
    for table, column in rows(
        """SELECT c.conrelid::regclass::text, a.attname FROM pg_constraint c
                                 JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
                                 WHERE c.contype = 'f' AND c.confrelid = 'players'::regclass
                                     AND c.conparentid = 0"""
    ):
        assert table not in COLUMNS or column not in COLUMNS[table].get("unrelated", "").split(), (
            table,
            column,
        )
