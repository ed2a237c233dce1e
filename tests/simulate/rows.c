/* Arguments and results of the model's statements; see rows.h. */
#include "tests/simulate/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

/* ---- Arguments ---- */
const char *arg_text(const struct args *args, int i)
{
    ASSERT(i < args->n);
    return args->values[i].len < 0 ? NULL : args->values[i].at;
}

int64_t arg_int(const struct args *args, int i)
{
    const char *text = arg_text(args, i);
    ASSERT(text && args->values[i].format == 0);
    return strtoll(text, NULL, 10);
}

size_t arg_bytes(const struct args *args, int i, void *out, size_t cap)
{
    ASSERT(i < args->n && args->values[i].len >= 0 && (size_t)args->values[i].len <= cap);
    memcpy(out, args->values[i].at, (size_t)args->values[i].len);
    return (size_t)args->values[i].len;
}

static uint64_t big_endian(const char *at, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++)
        number = number << 8 | (uint8_t)at[i];
    return number;
}

size_t arg_items(const struct args *args, int i)
{
    ASSERT(i < args->n && args->values[i].format == 1);
    const char *at = args->values[i].at;
    return big_endian(at, 4) == 0 ? 0 : (size_t)big_endian(at + 12, 4);
}

/* The position of the item, and its length. Items of numbers all have the same length, so they are found
 * directly. */
static const char *item_at(const struct args *args, int i, size_t item, size_t *len)
{
    ASSERT(item < arg_items(args, i));
    const char *at = args->values[i].at + 20;
    uint64_t type = big_endian(args->values[i].at + 8, 4);
    size_t fixed = type == 20 ? 8 : type == 23 ? 4 : type == 21 ? 2 : type == 2950 ? 16 : 0;
    if (fixed)
        at += item * (4 + fixed);
    for (size_t k = 0; !fixed && k < item; k++)
        at += 4 + big_endian(at, 4);
    *len = (size_t)big_endian(at, 4);
    return at + 4;
}

int64_t arg_item_int(const struct args *args, int i, size_t item)
{
    size_t len;
    const char *at = item_at(args, i, item, &len);
    uint64_t number = big_endian(at, len);
    return len == 2 ? (int16_t)number : len == 4 ? (int32_t)number : (int64_t)number;
}

size_t arg_item_bytes(const struct args *args, int i, size_t item, void *out, size_t cap)
{
    size_t len;
    const char *at = item_at(args, i, item, &len);
    ASSERT(len <= cap);
    memcpy(out, at, len);
    return len;
}

/* ---- Results ---- */
enum { COLUMNS_MAX = 64 };
static int columns_n, column, row;

/* Splits the names only once for the same text. */
static int described(const char *columns, PGresAttDesc **descs)
{
    enum { KNOWN_MAX = 64 };
    static struct {
        const char *columns;
        PGresAttDesc descs[COLUMNS_MAX];
        int n;
    } known[KNOWN_MAX];
    size_t i = 0;
    while (i < KNOWN_MAX - 1 && known[i].columns && known[i].columns != columns)
        i++;
    if (!known[i].columns) {
        char *rest = strdup(columns);
        ASSERT(rest);
        known[i].columns = columns;
        for (char *name; (name = strtok_r(rest, " ", &rest));)
            known[i].descs[known[i].n++].name = name;
    }
    ASSERT(known[i].columns == columns);
    *descs = known[i].descs;
    return known[i].n;
}

void rows_begin(struct answer *answer, const char *columns)
{
    PGresAttDesc *descs;
    columns_n = described(columns, &descs);
    answer->rows = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    ASSERT(answer->rows && PQsetResultAttrs(answer->rows, columns_n, descs));
    column = row = 0;
}

static void put(struct answer *answer, const char *text, size_t len)
{
    char *value = text ? (char *)(uintptr_t)text : NULL;
    ASSERT(PQsetvalue(answer->rows, row, column, value, text ? (int)len : -1));
    if (++column == columns_n) {
        column = 0;
        row++;
    }
}

void rows_text(struct answer *answer, const char *text)
{
    put(answer, text, text ? strlen(text) : 0);
}

void rows_null(struct answer *answer)
{
    put(answer, NULL, 0);
}

void rows_int(struct answer *answer, int64_t number)
{
    char text[24], *at = text + sizeof(text);
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do
        *--at = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (number < 0)
        *--at = '-';
    put(answer, at, (size_t)(text + sizeof(text) - at));
}

void rows_bool(struct answer *answer, bool value)
{
    put(answer, value ? "t" : "f", 1);
}

void rows_hex(struct answer *answer, const uint8_t *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    char text[1024] = "\\x";
    ASSERT(2 * len + 2 <= sizeof(text));
    for (size_t i = 0; i < len; i++) {
        text[2 + 2 * i] = digits[bytes[i] >> 4];
        text[3 + 2 * i] = digits[bytes[i] & 15];
    }
    put(answer, text, 2 + 2 * len);
}

void rows_seat(struct answer *answer, const struct seat_row *seat)
{
    if (seat->player)
        rows_int(answer, seat->player);
    else
        rows_null(answer);
    rows_int(answer, seat->level);
    rows_text(answer, seat->nick);
    rows_text(answer, seat->player ? "fox" : NULL);
    rows_hex(answer, seat->seed.bytes, seat->seed.len);
    rows_bool(answer, false);
}

/* ---- A whole table ---- */
#define MOVE_COLUMNS "v move hash at command time_bank_ms hand_clock_ms"
#define SEAT_COLUMNS "player_id bot_level nickname avatar client_seed program"
#define TABLE_COLUMNS                                                                                        \
    "state practice room variant params seats_n hand_no stake reward multiplier_tenths server_seed commit "  \
    "fill_in started_at room_name bots room_bot_level node heard_at visibility bots_n creator_id "           \
    "turn_hours asleep turn_v turn_seats turn_due deal_id deal_seed club_id club"
/* column numbers, counted from the columns of moves */
enum { TABLE_HAND_NO = 14, TABLE_SEED = 18, TABLE_STARTED = 21 };

static const char *state_word(enum row_state state)
{
    static const char *const words[] = {"waiting", "playing", "finished", "cancelled", "lost"};
    return words[state];
}

static void nulls(struct answer *answer, int n)
{
    while (n-- > 0)
        rows_null(answer);
}

static void put_table(struct answer *answer, const struct table *table)
{
    const struct table_row *t = &table->row;
    int64_t heard = t->stopped_ms ? t->stopped_ms : store_nodes[t->node].stopped_ms;
    rows_text(answer, "t");
    nulls(answer, 1 + 7 + 6);
    rows_text(answer, state_word(t->state));
    rows_bool(answer, false);
    rows_text(answer, "1");
    rows_text(answer, table->variant);
    rows_text(answer, "");
    rows_int(answer, t->seats_n);
    rows_int(answer, t->hand_no);
    rows_int(answer, table->stake);
    rows_int(answer, 0);
    rows_int(answer, 10);
    rows_hex(answer, t->server_seed, 32);
    rows_hex(answer, t->commit, 32);
    int64_t left = t->fill_ms - store_unix_ms(), whole = t->fill_ms - t->created_ms;
    rows_int(answer, left < whole ? left : whole);
    rows_int(answer, t->started_ms);
    rows_text(answer, "desert");
    rows_bool(answer, table->bots);
    rows_int(answer, t->id % 2 == 0 ? ENG_BOT_MASTER : ENG_BOT_EASY);
    rows_text(answer, sim_node_name(sim_node(t->node)));
    rows_int(answer, heard);
    rows_text(answer, "room");
    rows_int(answer, t->bots_n);
    rows_null(answer);
    rows_int(answer, 0);
    rows_bool(answer, false);
    nulls(answer, 7);
}

static void put_hand(struct answer *answer, const struct table_row *table, const struct hand_row *hand)
{
    uint8_t packed[ENG_SEAT_MAX * (1 + ENG_CLIENT_SEED_MAX)];
    size_t n = 0;
    for (size_t i = 0; i < table->seats_n; i++) {
        packed[n++] = hand->seeds[i].len;
        memcpy(packed + n, hand->seeds[i].bytes, hand->seeds[i].len);
        n += hand->seeds[i].len;
    }
    rows_text(answer, "h");
    nulls(answer, 1 + 7 + 4);
    if (hand->dealt_ms)
        rows_hex(answer, packed, n);
    else
        rows_null(answer);
    nulls(answer, 1 + 6);
    rows_int(answer, hand->no);
    nulls(answer, 3);
    rows_hex(answer, hand->server_seed, 32);
    rows_hex(answer, hand->commit, 32);
    rows_null(answer);
    rows_int(answer, hand->dealt_ms);
    nulls(answer, 17);
}

static void put_move(struct answer *answer, const struct move_row *move)
{
    rows_text(answer, "m");
    rows_int(answer, move->seat);
    rows_int(answer, move->v);
    rows_hex(answer, move->bytes, move->len);
    rows_int(answer, (int64_t)move->hash);
    rows_int(answer, store_unix_ms() - (sim_now - move->at_us) / SIM_MS);
    rows_text(answer, sim_planted == SIM_PLANT_COMMANDS_FORGOTTEN ? "" : move->command);
    rows_int(answer, move->time_bank_ms);
    rows_int(answer, sim_planted == SIM_PLANT_HAND_CLOCK_UNREAD ? 0 : move->hand_clock_ms);
    nulls(answer, 6 + 6);
    rows_int(answer, move->hand_no);
    nulls(answer, 24);
}

void rows_of(struct answer *answer, const struct table *table)
{
    rows_begin(answer, "kind seat " MOVE_COLUMNS " " SEAT_COLUMNS " " TABLE_COLUMNS);
    if (!table)
        return;
    put_table(answer, table);
    for (size_t i = 0; i < table->row.seats_n; i++) {
        if (!table->row.seats[i].taken)
            continue;
        rows_text(answer, "s");
        rows_int(answer, (int64_t)i);
        nulls(answer, 7);
        rows_seat(answer, &table->row.seats[i]);
        nulls(answer, 31);
    }
    for (size_t i = 0; i < table->row.hands_n; i++)
        put_hand(answer, &table->row, &table->row.hands[i]);
    size_t n = table->row.journal_folded ? 0 : table->moves_n;
    if (sim_planted == SIM_PLANT_LAST_ROW_UNREAD && n > 0)
        n--;
    for (size_t i = 0; i < n; i++)
        put_move(answer, &table->moves[i]);
    ASSERT(column == 0);
}

bool result_won(const char *results, size_t seat)
{
    char key[24];
    (void)snprintf(key, sizeof(key), "\"seat\":%zu,", seat);
    const char *at = strstr(results, key), *won = at ? strstr(at, "\"won\":") : NULL;
    ASSERT(won);
    return strncmp(won + 6, "true", 4) == 0;
}

/* ---- Tickets ---- */
enum { TICKETS_MAX = 2048, TICKET_S = 60, FORGOTTEN_MS = 600 };
static struct ticket_row tickets[TICKETS_MAX];
static uint64_t tickets_n;

struct ticket_row *tickets_put(int64_t table, int64_t player, uint8_t seat)
{
    struct ticket_row *ticket = &tickets[tickets_n % TICKETS_MAX];
    *ticket = (struct ticket_row){
        .table = table, .player = player, .seat = seat, .expires_us = sim_now + TICKET_S * SIM_S};
    tickets_n++;
    memcpy(ticket->id, &tickets_n, sizeof(tickets_n));
    return ticket;
}

struct ticket_row *tickets_find(const uint8_t id[16], int64_t table)
{
    uint64_t n;
    memcpy(&n, id, sizeof(n));
    struct ticket_row *ticket = n > 0 ? &tickets[(n - 1) % TICKETS_MAX] : NULL;
    return ticket && memcmp(ticket->id, id, 16) == 0 && ticket->table == table ? ticket : NULL;
}

void tickets_fail_over(void)
{
    for (size_t i = 0; i < TICKETS_MAX; i++)
        if (tickets[i].used && sim_now - tickets[i].used_us < FORGOTTEN_MS * SIM_MS)
            tickets[i].used = false;
}
