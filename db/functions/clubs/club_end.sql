CREATE OR REPLACE FUNCTION club_end(p_club clubs, p_what text) RETURNS bigint
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM notify_club_members(p_club, p_what);
    DELETE FROM clubs WHERE id = p_club.id;
    RETURN cancel_waiting(ARRAY(SELECT id FROM tables WHERE club_id = p_club.id AND state = 'waiting'));
END $$;

COMMENT ON FUNCTION club_end IS
'Ends a club that the caller has locked: notifies its members (p_what, of notify_club_members), removes
members, requests, and chat, and ends its waiting tables with refunds, because no one else can join them.
Running tables continue. Returns what cancel_waiting does.
Called by club_pass_on, do_admin_close_club, do_close_club.';
