-- Samples are long gone: pieces of a board are kept, and what has moved is folded into them.
ALTER FUNCTION do_sample_boards(bigint) RENAME TO do_fold_boards;
