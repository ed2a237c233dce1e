CREATE OR REPLACE FUNCTION friends_of(p_player bigint) RETURNS SETOF bigint
    LANGUAGE sql STABLE AS $$
    (SELECT to_id FROM friends WHERE from_id BETWEEN p_player AND p_player AND accepted_at IS NOT NULL
     ORDER BY from_id)
    UNION ALL (SELECT from_id FROM friends
               WHERE to_id BETWEEN p_player AND p_player AND accepted_at IS NOT NULL ORDER BY to_id)
$$;

COMMENT ON FUNCTION friends_of IS
'The friends of a player. Each side is read by the index that begins with that player, no matter what
statistics the planner has, because only that index provides the requested order of a range. Otherwise, a
plan made for an empty table, where all indexes cost the same, would be kept and later scan the whole other
index.
Called by do_befriend, do_invite_friend, q_board_friends, week_friends_json, withdraw_table_invites.';
