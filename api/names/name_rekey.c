/* Recomputes name keys; see name_rekey.h. */
#include "api/names/name_rekey.h"

#include "api/names/names.h"
#include "base/buf.h"
#include "base/bug.h"
#include "db/tx.h"

#include <stdlib.h>
#include <string.h>

enum { ARGS_BYTES = API_REKEY_BATCH * 1600, JSON_BYTES = API_REKEY_BATCH * 1500 };

static const struct db_stmt names_by = {"names_by", "SELECT names_by FROM schema_state", 0};
static const struct db_stmt names_of_players = {
    "names_of_players",
    "SELECT id, nickname FROM players WHERE id > $1 AND id <= $2 AND deleted_at IS NULL ORDER BY id LIMIT $3",
    3};
static const struct db_stmt do_rekey_names = {"do_rekey_names", "SELECT * FROM do_rekey_names($1, $2)", 2};
static const struct db_stmt names_are_by = {"names_are_by", "UPDATE schema_state SET names_by = $1", 1};

/* A batch in progress. */
struct work {
    int64_t last; /* the last player of the batch; 0: none */
    int64_t ids[API_REKEY_BATCH];
    size_t n;
    struct db_args args;
    char *args_mem, *json_mem;
    struct api_rekeyed *done;
    PGresult *alike;
};

bool api_names_current(struct db_conn *conn, struct db_error *err)
{
    char by[API_NAME_BY_MAX];
    api_name_version(by);
    DB_AUTO PGresult *rows = db_run(conn, &names_by, NULL, err);
    return rows && PQntuples(rows) == 1 && !PQgetisnull(rows, 0, 0) &&
           strcmp(PQgetvalue(rows, 0, 0), by) == 0;
}

static void write_name(struct buf *json, const char *nickname)
{
    struct api_name name = {0};
    if (!api_name_make(nickname, &name))
        name.keys_n = 0; /* no valid key, because current rules do not allow such a name */
    json_open(json, '{');
    json_kv_text(json, "was", nickname);
    json_kv_text(json, "folded", name.folded);
    json_key(json, "keys");
    json_open(json, '[');
    for (size_t i = 0; i < name.keys_n; i++)
        json_text(json, name.keys[i]);
    json_close(json, ']');
    json_close(json, '}');
}

/* Reads the next batch of players with from < id <= to, and binds their new keys. */
static bool read_batch(struct db_conn *conn, struct work *work, int64_t from, int64_t to,
                       struct db_error *err)
{
    char mem[64];
    struct db_args args;
    struct buf json = buf_on(work->json_mem, JSON_BYTES);
    db_args_init(&args, mem, sizeof(mem));
    db_args_int(&args, from);
    db_args_int(&args, to);
    db_args_int(&args, API_REKEY_BATCH);
    DB_AUTO PGresult *rows = db_run(conn, &names_of_players, &args, err);
    if (!rows)
        return false;
    work->n = (size_t)PQntuples(rows);
    json_open(&json, '[');
    for (size_t i = 0; i < work->n; i++) {
        work->ids[i] = db_i64(rows, (int)i, 0);
        write_name(&json, PQgetvalue(rows, (int)i, 1));
    }
    json_close(&json, ']');
    ASSERT(!json.full && work->n <= API_REKEY_BATCH);
    work->last = work->n > 0 ? work->ids[work->n - 1] : 0;
    db_args_init(&work->args, work->args_mem, ARGS_BYTES);
    db_args_i64_array(&work->args, work->ids, work->n);
    db_args_text_n(&work->args, json.data, json.len);
    return true;
}

static bool rekey(struct db_conn *conn, void *arg, struct db_error *err)
{
    struct work *work = arg;
    PQclear(work->alike);
    work->alike = db_run(conn, &do_rekey_names, &work->args, err);
    return work->alike != NULL;
}

/* Recomputes the keys of all players with from < id <= to. */
static bool rekey_range(struct db_conn *conn, struct work *work, int64_t from, int64_t to,
                        struct db_error *err)
{
    struct api_rekeyed *done = work->done;
    for (work->last = from; read_batch(conn, work, work->last, to, err);) {
        if (work->n == 0)
            return true;
        if (!db_tx_run(conn, NULL, rekey, work, err))
            return false;
        done->names += (int64_t)work->n;
        done->alike += PQntuples(work->alike);
        for (int i = 0; i < PQntuples(work->alike) && done->players_n < API_REKEY_ALIKE_MAX; i++)
            done->players[done->players_n++] = db_i64(work->alike, i, 0);
    }
    return false;
}

/* Checks the reported players again, because their names may have resembled names that still had old
 * keys. */
static bool check_again(struct db_conn *conn, struct work *work, struct db_error *err)
{
    struct api_rekeyed *done = work->done;
    struct api_rekeyed first = *done;
    done->alike -= (int64_t)done->players_n;
    done->players_n = 0;
    for (size_t i = 0; i < first.players_n; i++)
        if (!rekey_range(conn, work, first.players[i] - 1, first.players[i], err))
            return false;
    done->names = first.names;
    return true;
}

static bool note_version(struct db_conn *conn, struct db_error *err)
{
    char by[API_NAME_BY_MAX], mem[64];
    struct db_args args;
    api_name_version(by);
    db_args_init(&args, mem, sizeof(mem));
    db_args_text(&args, by);
    DB_AUTO PGresult *res = db_run(conn, &names_are_by, &args, err);
    return res != NULL;
}

bool api_names_rekey(struct db_conn *conn, struct api_rekeyed *done, struct db_error *err)
{
    struct work work = {.done = done};
    *done = (struct api_rekeyed){0};
    *err = (struct db_error){0};
    if (api_names_current(conn, err))
        return true;
    if (err->outcome != DB_OK)
        return false;
    done->due = true;
    work.args_mem = malloc(ARGS_BYTES);
    work.json_mem = malloc(JSON_BYTES);
    ASSERT(work.args_mem && work.json_mem);
    bool good = rekey_range(conn, &work, 0, INT64_MAX, err) && check_again(conn, &work, err) &&
                note_version(conn, err);
    PQclear(work.alike);
    free(work.args_mem);
    free(work.json_mem);
    return good;
}
