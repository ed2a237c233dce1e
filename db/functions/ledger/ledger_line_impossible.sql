CREATE OR REPLACE FUNCTION ledger_line_impossible(p_cause text, p_kind text, p_house text, p_amount bigint)
    RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT CASE p_kind
        WHEN 'house' THEN
            NOT CASE p_cause WHEN 'settle' THEN p_house IN ('stake', 'reward', 'over_cap')
                             WHEN 'stake' THEN false ELSE p_house IN (p_cause, 'over_cap') END
            OR CASE WHEN p_house IN ('stake', 'over_cap', 'forfeit') THEN p_amount < 0
                    WHEN p_house IN ('grant', 'shop_back') THEN false ELSE p_amount > 0 END
        WHEN 'hold' THEN
            p_cause NOT IN ('stake', 'refund', 'settle') OR (p_amount > 0) <> (p_cause = 'stake')
        WHEN 'pot' THEN p_cause NOT IN ('entry', 'entry_back', 'prize')
            OR (p_amount > 0) <> (p_cause = 'entry')
        ELSE p_cause IN ('stake', 'refund', 'forfeit', 'entry', 'entry_back')
            AND (p_amount > 0) <> (p_cause IN ('refund', 'entry_back')) END
$$;

COMMENT ON FUNCTION ledger_line_impossible IS
'Whether a line is impossible in a transfer of this cause: a stake goes from the purse to a hold, a refund
in the opposite direction; an entry goes from the purse to a pot, and refunds and prizes come from the pot;
a reward comes only from the house account of its cause, and forfeited chips go to theirs.
ledger_check_tables verifies which table a hold is for.
Called by ledger_check_transfers.';
