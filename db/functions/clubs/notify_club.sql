CREATE OR REPLACE FUNCTION notify_club(p_club bigint, p_to bigint, p_who bigint, p_what text) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_data jsonb := jsonb_build_object('club_id', p_club::text, 'player_id', p_who::text, 'state', p_what);
BEGIN
    IF has_blocked(p_to, p_who) OR EXISTS (
        SELECT 1 FROM notifications WHERE player_id = p_to AND kind = 'club' AND data @> v_data
            AND at > now() - make_interval(days => setting_int('friend_request_days')::int)) THEN
        RETURN;
    END IF;
    PERFORM notify_player(p_to, 'club', v_data || jsonb_build_object(
        'club', (SELECT name FROM clubs WHERE id = p_club)));
END $$;

COMMENT ON FUNCTION notify_club IS
'Notifies p_to of what p_who has done in a club. p_what: asks (p_who requests membership), accepted (p_to is
now a member), owner (p_to is now the owner). The same event is sent once within friend_request_days, and not
at all if one of the two has blocked the other.
Called by club_pass_to_heir, do_change_club, do_join_club.';
