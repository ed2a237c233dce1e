-- Existing rows are kept, because an operator may have changed them.

INSERT INTO quests (slot, id, counter, variant, goal, gold) VALUES
    (1, 'games_10', 'games', NULL, 10, 10),
    (1, 'games_20', 'games', NULL, 20, 20),
    (1, 'any_wins_5', 'any_wins', NULL, 5, 10),
    (1, 'wins_3', 'wins', NULL, 3, 15),
    (2, 'rummy51_3', 'any_wins', 'rummy51', 3, 10),
    (2, 'straight_3', 'any_wins', 'straight', 3, 10),
    (2, 'rami_3', 'any_wins', 'rami', 3, 10),
    (2, 'points_3', 'any_wins', 'points', 3, 10),
    (2, 'deals2_2', 'any_wins', 'deals2', 2, 10),
    (3, 'opened_pure_3', 'opened_pure', NULL, 3, 10),
    (3, 'opened_100_2', 'opened_100', NULL, 2, 10),
    (3, 'swaps_3', 'swaps', NULL, 3, 10),
    (3, 'tournaments_1', 'tournaments', NULL, 1, 10)
ON CONFLICT DO NOTHING;
