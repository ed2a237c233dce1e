/* Reads the rows of a live table without its node, for the port `table_snapshot`. */
#ifndef RUMMYD_API_TABLE_ROWS_H
#define RUMMYD_API_TABLE_ROWS_H

#include "db/pg.h"

/* Parameter: the table's id. A single statement, so that all rows are from the same instant. Times are in
 * milliseconds, 0 for none. Kind 't' (one): state, practice, room, variant, params, seats_n, hand_no,
 * stake, reward, multiplier_tenths, server_seed, commit, fill_at, started_at, room_name, bots,
 * room_bot_level, node, heard_at (last heartbeat of the process that owned it before), visibility, bots_n,
 * creator_id, deal_id, deal_seed, club_id, club (its name; NULL: none, or it is closed); kind 's' (in seat
 * order): seat, player_id (NULL: bot), bot_level, nickname, avatar, client_seed; kind 'h' (in order, once
 * dealt or promised): hand_no, server_seed, commit, client_seed (of all seats, packed), started_at (0:
 * promised only); kind 'm' (in order of v): hand_no, v, seat, move, hash, at, command. No row: no such
 * table. Nodes also read their own tables with it. */
extern const struct db_stmt api_table_rows_stmt;

#endif
