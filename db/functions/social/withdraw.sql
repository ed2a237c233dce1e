CREATE OR REPLACE FUNCTION withdraw_friend_requests(p_from bigint, p_to bigint) RETURNS void
    LANGUAGE plpgsql AS $$
BEGIN
    WITH gone AS (
        DELETE FROM friends
        WHERE from_id = p_from AND accepted_at IS NULL AND to_id = coalesce(p_to, to_id)
        RETURNING to_id)
    UPDATE notifications SET read_at = now()
    WHERE player_id IN (SELECT to_id FROM gone) AND kind = 'friend' AND read_at IS NULL
      AND data @> jsonb_build_object('player_id', p_from::text, 'state', 'asks');
END $$;

COMMENT ON FUNCTION withdraw_friend_requests IS
'Withdraws the friend requests of p_from to p_to (NULL: to anyone). Their notifications are marked as read,
but remain, so that no one is notified of the same event more often (notify_friend).
Called by do_block, withdraw_requests.';

CREATE OR REPLACE FUNCTION withdraw_requests(p_player bigint) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_club record;
BEGIN
    PERFORM withdraw_friend_requests(p_player, NULL);
    FOR v_club IN DELETE FROM club_members WHERE player_id = p_player AND role = 'asks'
                  RETURNING club_id LOOP
        UPDATE notifications SET read_at = now()
        WHERE player_id = (SELECT player_id FROM club_members
                           WHERE club_id = v_club.club_id AND role = 'owner')
          AND kind = 'club' AND read_at IS NULL AND data @> jsonb_build_object(
              'club_id', v_club.club_id::text, 'player_id', p_player::text, 'state', 'asks');
    END LOOP;
END $$;

COMMENT ON FUNCTION withdraw_requests IS
'Withdraws a player''s requests to others, because they may no longer play: friend requests and club
membership requests. The caller holds the player''s lock.
Called by deletion_begin, do_admin_ban.';
