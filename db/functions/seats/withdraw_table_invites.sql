CREATE OR REPLACE FUNCTION withdraw_table_invites(p_from bigint, p_to bigint, p_table bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM notifications
    WHERE player_id IN (SELECT friends_of(p_from)) AND player_id = coalesce(p_to, player_id)
      AND kind = 'table_invite'
      AND data @> jsonb_strip_nulls(jsonb_build_object('player_id', p_from::text,
                                                       'table_id', p_table::text));
END $$;

COMMENT ON FUNCTION withdraw_table_invites IS
'Removes the invitations of p_from to p_to (NULL: to any friend) to p_table (NULL: to any table). The code
of a table remains valid as long as others wait there.
Called by do_admin_separate, do_block, do_unfriend, waiting_seats_leave.';
