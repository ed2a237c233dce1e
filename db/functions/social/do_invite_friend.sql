CREATE OR REPLACE FUNCTION do_invite_friend(p_player bigint, p_other bigint, p_table bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_table tables;
    v_data  jsonb;
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    SELECT * INTO v_table FROM tables t WHERE t.id = p_table;
    v_data := jsonb_build_object('player_id', p_player::text, 'table_id', p_table::text,
                                 'variant', v_table.variant, 'code', v_table.code);
    code := CASE WHEN v_table.id IS NULL THEN 'no_such_table'
                 WHEN NOT EXISTS (SELECT 1 FROM seats s
                                  WHERE s.table_id = p_table AND s.player_id = p_player AND s.live)
                 THEN 'not_seated'
                 WHEN v_table.visibility <> 'private' THEN 'not_private'
                 WHEN v_table.state NOT IN ('waiting', 'playing') THEN 'table_over'
                 WHEN v_table.state = 'playing' OR v_table.people_n + v_table.bots_n >= v_table.seats_n
                 THEN 'table_full'
                 WHEN NOT EXISTS (SELECT 1 FROM players WHERE id = p_other) THEN 'player_unknown'
                 WHEN p_other NOT IN (SELECT friends_of(p_player)) OR has_blocked(p_player, p_other)
                 THEN 'not_friends'
                 WHEN NOT club_admits(v_table.club_id, p_other) THEN 'not_club_member' END;
    IF code IS NULL AND NOT is_blocked_at(p_other, p_table) AND NOT may_not_play(p_other) AND NOT EXISTS (
           SELECT 1 FROM notifications n
           WHERE n.player_id = p_other AND n.kind = 'table_invite' AND n.data = v_data
             AND n.at > now() - interval '1 day') THEN
        IF (SELECT count(*) FROM friends_of(p_player) f (id)
            JOIN notifications n ON n.player_id = f.id
            WHERE n.kind = 'table_invite' AND n.data ->> 'player_id' = p_player::text
              AND n.at > now() - interval '1 minute') >= setting_int('table_invites_per_minute') THEN
            code := 'too_many_table_invites';
        ELSE
            PERFORM notify_player(p_other, 'table_invite', v_data);
        END IF;
    END IF;
    RETURN QUERY SELECT coalesce(code, 'ok');
END $$;

COMMENT ON FUNCTION do_invite_friend IS
'Notifies a friend of a waiting private table at which p_player sits. Safe to repeat, because a friend is
notified of a table only once. A friend who may not join it (because of a block, or because an operator
keeps the players apart), or who may not play, gets no notification; the reply does not reveal this.
Refusals: no_such_table, not_seated, not_private, table_over, table_full (also: it is playing),
player_unknown, not_friends (also: p_player has blocked them), not_club_member (it is a club''s, and they are
not in it), too_many_table_invites.
Locks: the player.
Called by api.';
