/* /v1/rooms: the rooms, and which of them are open to the player. Counting occupancy requires a scan of all
 * live tables, so it is done once for all players and cached for 1 s. REST loops. */
#include "api/play/rooms.h"

#include "api/core/operations.h"
#include "api/core/rows.h"
#include "base/bug.h"
#include "base/clock.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOMS_MAX 64
#define ROOM_TEXT_MAX 256 /* bytes of a name; ids and titles are shorter */

struct room {
    char id[ROOM_TEXT_MAX], name[ROOM_TEXT_MAX], title[ROOM_TEXT_MAX], variant[ROOM_TEXT_MAX];
    int64_t seats, stake, reward, multiplier_tenths, level_required, people, tables, fill_wait_ms;
    bool open, bots, bot_accounts;
};

struct api_rooms {
    pthread_mutex_t lock;
    int64_t read_ms; /* monotonic; 0: never */
    int n;
    struct room rooms[ROOMS_MAX];
};

struct api_rooms *api_rooms_new(void)
{
    struct api_rooms *cache = calloc(1, sizeof(*cache));
    if (cache && pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache);
        return NULL;
    }
    return cache;
}

void api_rooms_free(struct api_rooms *cache)
{
    if (!cache)
        return;
    (void)pthread_mutex_destroy(&cache->lock);
    free(cache);
}

/* --- reading --- */

static const struct db_stmt list_rooms = {
    "list_rooms",
    "SELECT r.id, r.name, r.variant, r.seats_n, r.stake, r.reward, r.multiplier_tenths, r.title, "
    "l.level_from AS level_required, "
    "r.open, "
    "coalesce(t.people, 0) AS people, coalesce(t.tables, 0) AS tables, r.bots, r.bot_accounts, "
    "r.fill_wait_ms "
    "FROM rooms r JOIN titles l ON l.name = r.title LEFT JOIN ("
    "  SELECT room_id, count(*) AS tables, sum(people_n) AS people FROM tables"
    "  WHERE state IN ('waiting', 'playing') AND NOT asleep GROUP BY room_id) t ON t.room_id = r.id "
    "ORDER BY r.position LIMIT $1",
    1};

static const struct db_stmt level_of_player = {
    "level_of_player", "SELECT level FROM players WHERE id = $1 AND deleted_at IS NULL", 1};

static void read_text(char out[ROOM_TEXT_MAX], const PGresult *rows, int i, const char *column)
{
    (void)snprintf(out, ROOM_TEXT_MAX, "%s", api_row_get(rows, i, column));
}

static void read_room(struct room *room, const PGresult *rows, int i)
{
    read_text(room->id, rows, i, "id");
    read_text(room->name, rows, i, "name");
    read_text(room->title, rows, i, "title");
    read_text(room->variant, rows, i, "variant");
    room->seats = api_row_get_int(rows, i, "seats_n");
    room->stake = api_row_get_int(rows, i, "stake");
    room->reward = api_row_get_int(rows, i, "reward");
    room->multiplier_tenths = api_row_get_int(rows, i, "multiplier_tenths");
    room->level_required = api_row_get_int(rows, i, "level_required");
    room->people = api_row_get_int(rows, i, "people");
    room->tables = api_row_get_int(rows, i, "tables");
    room->fill_wait_ms = api_row_get_int(rows, i, "fill_wait_ms");
    room->open = db_bool(rows, i, db_col(rows, "open"));
    room->bots = db_bool(rows, i, db_col(rows, "bots"));
    room->bot_accounts = db_bool(rows, i, db_col(rows, "bot_accounts"));
}

/* --- writing --- */

/* The problem code that taking a seat here would return; NULL: none. */
static const char *why_locked(const struct room *room, bool unlocked)
{
    if (!unlocked)
        return api_code_name(API_ROOM_LOCKED);
    return room->open ? NULL : api_code_name(API_ROOM_CLOSED);
}

static void write_room(struct buf *out, const struct room *room, int64_t level)
{
    bool unlocked = level >= room->level_required;
    json_open(out, '{');
    json_kv_text(out, "id", room->id);
    json_kv_text(out, "name", room->name);
    json_kv_text(out, "variant", room->variant);
    json_kv_num(out, "seats", room->seats);
    json_kv_num(out, "stake", room->stake);
    json_kv_num(out, "reward", room->reward);
    json_key(out, "multiplier");
    buf_fmt(out, "\"%lld.%lld\"", (long long)(room->multiplier_tenths / 10),
            (long long)(room->multiplier_tenths % 10));
    json_kv_text(out, "title_required", room->title);
    json_kv_num(out, "level_required", room->level_required);
    json_kv_bool(out, "unlocked", unlocked && room->open);
    json_kv_text(out, "why_locked", why_locked(room, unlocked));
    json_kv_num(out, "people", room->people);
    json_kv_num(out, "tables", room->tables);
    json_kv_bool(out, "bots", room->bots);
    json_kv_num(out, "fill_wait_ms", room->fill_wait_ms);
    json_kv_bool(out, "bot_accounts", room->bot_accounts);
    json_close(out, '}');
}

static enum api_next reply_rooms(struct api_request *request, const PGresult *rows)
{
    if (PQntuples(rows) == 0)
        return api_refuse(request, API_TOKEN_INVALID);
    int64_t level = api_row_get_int(rows, 0, "level");
    struct api_rooms *cache = request->env->rooms;
    struct buf *out = api_reply_open(request, 200);
    json_key(out, "items");
    json_open(out, '[');
    (void)pthread_mutex_lock(&cache->lock);
    ASSERT(cache->n >= 0 && cache->n <= ROOMS_MAX);
    for (int i = 0; i < cache->n; i++)
        write_room(out, &cache->rooms[i], level);
    (void)pthread_mutex_unlock(&cache->lock);
    json_close(out, ']');
    json_close(out, '}');
    return API_DONE;
}

/* --- steps --- */

static enum api_next query_level(struct api_request *request)
{
    request->stmt = &level_of_player;
    request->then = reply_rooms;
    return api_bind_player(request);
}

static enum api_next keep_rooms(struct api_request *request, const PGresult *rows)
{
    struct api_rooms *cache = request->env->rooms;
    int n = PQntuples(rows);
    ASSERT(n <= ROOMS_MAX);
    (void)pthread_mutex_lock(&cache->lock);
    for (int i = 0; i < n; i++)
        read_room(&cache->rooms[i], rows, i);
    cache->n = n;
    cache->read_ms = clock_mono_ms();
    (void)pthread_mutex_unlock(&cache->lock);
    return query_level(request);
}

static enum api_next begin_rooms(struct api_request *request)
{
    struct api_rooms *cache = request->env->rooms;
    (void)pthread_mutex_lock(&cache->lock);
    bool fresh = cache->read_ms > 0 && clock_mono_ms() - cache->read_ms < API_ROOMS_KEPT_MS;
    (void)pthread_mutex_unlock(&cache->lock);
    if (fresh)
        return query_level(request);
    db_args_int(&request->args, ROOMS_MAX);
    return API_QUERY;
}

API_OPERATION(listRooms) = {.stmt = &list_rooms, .begin = begin_rooms, .reply = keep_rooms};
