CREATE OR REPLACE FUNCTION export_rows(p_section text, p_player bigint, p_after bigint, p_max bigint)
    RETURNS TABLE (at bigint, data jsonb)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    CASE
        WHEN p_section IN ('account', 'sessions', 'devices', 'passkeys', 'identities', 'mails', 'limits') THEN
            RETURN QUERY SELECT * FROM export_rows_account(p_section, p_player, p_after, p_max);
        WHEN p_section IN ('purses', 'postings', 'orders') THEN
            RETURN QUERY SELECT * FROM export_rows_money(p_section, p_player, p_after, p_max);
        WHEN p_section IN ('seats', 'games', 'chat') THEN
            RETURN QUERY SELECT * FROM export_rows_play(p_section, p_player, p_after, p_max);
        WHEN p_section IN ('statistics', 'ratings', 'achievements', 'quests', 'seasons', 'prizes',
                           'puzzles') THEN
            RETURN QUERY SELECT * FROM export_rows_rank(p_section, p_player, p_after, p_max);
        ELSE
            RETURN QUERY SELECT * FROM export_rows_social(p_section, p_player, p_after, p_max);
    END CASE;
END $$;

COMMENT ON FUNCTION export_rows IS
'The next rows of a section of an export, in order: at most p_max after p_after. Other players appear only
with what everyone can see: id and name.
Called by do_export_step.';
