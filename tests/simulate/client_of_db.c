/* The connection between a node and the model of PostgreSQL: sessions, packets with delays, broken and silent
 * connections, commits with unknown outcome. Replaces the blocking half of db/pg.c (through the linker, see
 * the Makefile); db_pipe.c uses it, too. */
#include "tests/simulate/client_of_db.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

enum {
    SESSIONS_MAX = 48, /* concurrent sessions; the number of an ended session is never reused */
    CALLS_MAX = 512,
    CUT_US_MAX = 15 * SIM_S

};
enum { IDLE_IN_TX_US_MAX = 3 * SIM_S };

struct session {
    bool used;
    int node;
    uint32_t life;      /* life of the node's process */
    int name;           /* index of the node whose name it holds, or -1 */
    struct tx *tx;      /* set between BEGIN and COMMIT */
    uint64_t heard_nth; /* number of statements so far, to detect silence */
};

struct call {
    bool used, arrived, committing, told;
    int64_t nth; /* number of the call: an event of an earlier call must not affect this one */
    struct session *session;
    struct sim_node *node;
    enum db_call_kind what;
    const char *name;
    struct args args;
    char *memory;
    struct tx *tx; /* NULL until it runs */
    struct answer answer;
    db_answered_fn *fn;
    void *arg;
};

static struct session *sessions[SESSIONS_MAX];
static struct call calls[CALLS_MAX];
static size_t calls_max; /* maximum number of concurrent calls */
static int64_t calls_n;
static bool cut[SIM_NODES_MAX];
static uint32_t cut_nth[SIM_NODES_MAX];

/* ---- Sessions ---- */
static bool name_is_taken(const struct session *session, int node)
{
    for (size_t i = 0; i < SESSIONS_MAX; i++)
        if (sessions[i] && sessions[i]->used && sessions[i] != session && sessions[i]->name == node)
            return true;
    return false;
}

struct session *db_session_begin(struct sim_node *node)
{
    if (!store_up || cut[sim_node_index(node)])
        return NULL;
    for (size_t i = 0; i < SESSIONS_MAX; i++) {
        if (sessions[i] && sessions[i]->used)
            continue;
        sessions[i] = malloc(sizeof(*sessions[i]));
        ASSERT(sessions[i]);
        *sessions[i] = (struct session){
            .used = true, .node = sim_node_index(node), .life = sim_node_life(node), .name = -1};
        return sessions[i];
    }
    sim_broken("connections are bounded", "there are more than %d", SESSIONS_MAX);
}

static void free_call(struct call *call)
{
    free(call->memory);
    call->memory = NULL;
    call->used = false;
}

static void try_waiting(void);

/* crash: a commit in progress may or may not survive. Otherwise it survives, because the backend finishes
 * its statement. */
static void end_session(struct session *session, bool crash)
{
    if (!session || !session->used)
        return;
    session->used = false;
    if (session->tx && !session->tx->failed)
        store_abort(session->tx);
    session->tx = NULL;
    for (size_t i = 0; i < calls_max; i++) {
        struct call *call = &calls[i];
        if (!call->used || call->session != session)
            continue;
        if (call->tx && call->committing && (!crash || sim_chance(&sim_net, 500)))
            (void)store_commit(call->tx);
        else if (call->tx)
            store_abort(call->tx);
        struct call ended = *call;
        call->memory = NULL;
        free_call(call);
        PQclear(ended.answer.rows);
        free(ended.memory);
        struct answer lost = {.err = {.outcome = DB_UNKNOWN, .text = "the connection is lost"}};
        if (!ended.told && sim_node_life(ended.node) == session->life)
            ended.fn(ended.arg, &lost);
    }
}

void db_session_end(struct session *session)
{
    end_session(session, false);
    try_waiting();
}

/* ---- A statement ---- */
static void answered(void *arg, int64_t nth)
{
    struct call *call = arg;
    if (!call->used || call->nth != nth)
        return;
    if (cut[sim_node_index(call->node)]) { /* its packets are retransmitted */
        sim_after(200 * SIM_MS, NULL, answered, call, nth);
        return;
    }
    struct call done = *call;
    call->memory = NULL;
    free_call(call);
    free(done.memory);
    done.fn(done.arg, &done.answer);
}

static void answer(struct call *call)
{
    sim_after(sim_between(&sim_net, 60, 250), NULL, answered, call, call->nth);
}

static void fail(struct call *call, enum db_outcome outcome, const char *state, const char *text)
{
    PQclear(call->answer.rows);
    call->answer = (struct answer){.err = {.outcome = outcome}, .name_taken = -1};
    (void)snprintf(call->answer.err.sqlstate, sizeof(call->answer.err.sqlstate), "%s", state);
    (void)snprintf(call->answer.err.text, sizeof(call->answer.err.text), "%s", text);
    answer(call);
}

static void committed(void *arg, int64_t nth)
{
    struct call *call = arg;
    if (!call->used || call->nth != nth || !call->committing)
        return;
    call->committing = false;
    struct tx *tx = call->tx;
    call->tx = NULL;
    if (call->answer.name_taken >= 0)
        call->session->name = call->answer.name_taken;
    bool done = store_commit(tx);
    try_waiting();
    if (call->told)
        free_call(call);
    else if (done)
        answer(call);
    else
        fail(call, DB_RETRY, "40001", "could not serialize access");
}

/* ---- Traps at a commit ---- */
static sim_fn *trap_fn;
static void *trap_arg;
static int64_t trap_number;
static bool trap_moves;

void db_at_commit(bool of_moves, sim_fn *fn, void *arg, int64_t number)
{
    trap_moves = of_moves;
    trap_fn = fn;
    trap_arg = arg;
    trap_number = number;
}

static void spring(const struct call *call, int64_t us)
{
    bool moves = call->what == DB_CALL_RUN && strcmp(call->name, "do_journal_append") == 0;
    bool other = call->what == DB_CALL_COMMIT || strcmp(call->name, "do_start_batch") == 0;
    if (!trap_fn || !(trap_moves ? moves : other))
        return;
    sim_after(us / 2, NULL, trap_fn, trap_arg, trap_number);
    trap_fn = NULL;
}

static void begin_commit(struct call *call, struct tx *tx)
{
    call->tx = tx;
    call->committing = true;
    int64_t us =
        sim_between(&sim_net, 300, 1500) + (store_slow_us ? sim_between(&sim_net, 0, store_slow_us) : 0);
    if (sim_planted == SIM_PLANT_ACK_BEFORE_COMMIT && call->what == DB_CALL_RUN &&
        strcmp(call->name, "do_journal_append") == 0) {
        struct answer early = call->answer;
        call->answer.rows = NULL;
        call->told = true;
        call->fn(call->arg, &early);
    }
    spring(call, us);
    sim_after(us, NULL, committed, call, call->nth);
}

static void idle_in_tx(void *arg, int64_t nth)
{
    struct session *session = arg;
    if (session->used && session->tx && session->heard_nth == (uint64_t)nth) {
        sim_trace("PostgreSQL ends a session of %s, idle in a transaction",
                  sim_node_name(sim_node(session->node)));
        db_session_end(session);
    }
}

static void run_statement(struct call *call)
{
    struct session *session = call->session;
    bool alone = !session->tx;
    struct tx *tx = alone ? (call->tx ? call->tx : store_begin()) : session->tx;
    if (alone)
        call->tx = tx;
    switch (store_run(tx, call->name, &call->args, session, name_is_taken, &call->answer)) {
    case WAITS:
        return; /* retried once a lock is released */
    case NO_ROOM:
    case FAILED:
        if (alone)
            store_abort(tx);
        else
            tx->failed = true;
        call->tx = NULL;
        fail(call, DB_NO_ROOM, "53100", "the disk of the database is full");
        return;
    case DONE:
        break;
    }
    if (alone && tx->writes) {
        begin_commit(call, tx);
        return;
    }
    if (call->answer.name_taken >= 0)
        session->name = call->answer.name_taken;
    if (alone)
        store_abort(tx);
    call->tx = NULL;
    answer(call);
    if (!alone)
        sim_after(IDLE_IN_TX_US_MAX, NULL, idle_in_tx, session, (int64_t)session->heard_nth);
}

static void run_call(struct call *call)
{
    struct session *session = call->session;
    switch (call->what) {
    case DB_CALL_RUN:
        run_statement(call);
        return;
    case DB_CALL_BEGIN:
        ASSERT(!session->tx);
        session->tx = store_begin();
        answer(call);
        sim_after(IDLE_IN_TX_US_MAX, NULL, idle_in_tx, session, (int64_t)session->heard_nth);
        return;
    case DB_CALL_ROLLBACK:
        if (session->tx)
            store_abort(session->tx);
        session->tx = NULL;
        answer(call);
        return;
    default:
        ASSERT(session->tx && !session->tx->failed);
        begin_commit(call, session->tx);
        session->tx = NULL;
    }
}

/* Retries waiting calls, because a lock may be free now; those that have waited longest go first. */
static void try_waiting(void)
{
    while (store_released())
        for (size_t i = 0; i < calls_max; i++)
            if (calls[i].used && calls[i].arrived && calls[i].what == DB_CALL_RUN && !calls[i].committing &&
                !calls[i].answer.rows && calls[i].answer.err.outcome == DB_OK)
                run_call(&calls[i]);
}

static void arrive(void *arg, int64_t nth)
{
    struct call *call = arg;
    if (!call->used || call->nth != nth)
        return;
    if (cut[sim_node_index(call->node)]) {
        sim_after(200 * SIM_MS, NULL, arrive, call, nth);
        return;
    }
    call->arrived = true;
    call->session->heard_nth++;
    run_call(call);
    try_waiting();
}

static void copy_args(struct call *call, const struct db_args *args)
{
    call->args.n = args ? args->n : 0;
    call->memory = args && args->used ? malloc(args->used) : NULL;
    if (call->memory)
        memcpy(call->memory, args->mem, args->used);
    for (int i = 0; i < call->args.n; i++) {
        call->args.values[i].at = call->memory + args->values[i].offset;
        call->args.values[i].len = args->values[i].len;
        call->args.values[i].format = args->values[i].format;
    }
}

void db_session_call(struct session *session, enum db_call_kind what, const char *name,
                     const struct db_args *args, db_answered_fn *fn, void *arg)
{
    for (size_t i = 0; i < CALLS_MAX; i++) {
        struct call *call = &calls[i];
        if (call->used)
            continue;
        *call = (struct call){.used = true,
                              .nth = ++calls_n,
                              .session = session,
                              .node = sim_node(session->node),
                              .what = what,
                              .name = name,
                              .answer = {.name_taken = -1},
                              .fn = fn,
                              .arg = arg};
        calls_max = i < calls_max ? calls_max : i + 1;
        copy_args(call, args);
        sim_after(sim_between(&sim_net, 40, 200), NULL, arrive, call, call->nth);
        return;
    }
    sim_broken("statements are bounded", "more than %d are on their way", CALLS_MAX);
}

void db_session_send(struct session *session, const struct db_stmt *stmt, const struct db_args *args,
                     db_answered_fn *fn, void *arg)
{
    ASSERT(stmt->n_params == (args ? args->n : 0));
    db_session_call(session, DB_CALL_RUN, stmt->name, args, fn, arg);
}

bool db_session_is_up(const struct session *session)
{
    return session && session->used;
}

/* ---- Faults ---- */
void db_break_node(int node, const char *why)
{
    sim_trace("connections of %s to PostgreSQL end: %s", sim_node_name(sim_node(node)), why);
    for (size_t i = 0; i < SESSIONS_MAX; i++)
        if (sessions[i] && sessions[i]->used && sessions[i]->node == node)
            db_session_end(sessions[i]);
}

void db_node_dead(struct sim_node *node)
{
    db_break_node(sim_node_index(node), "its process is gone");
}

static void cut_for_long(void *arg, int64_t nth)
{
    int node = sim_node_index(arg);
    if (cut[node] && cut_nth[node] == (uint32_t)nth)
        db_break_node(node, "nothing was heard for long");
}

void db_cut_node(struct sim_node *node, bool now_cut)
{
    int i = sim_node_index(node);
    cut[i] = now_cut;
    if (now_cut)
        sim_after(CUT_US_MAX, NULL, cut_for_long, node, ++cut_nth[i]);
}

bool db_is_cut(const struct sim_node *node)
{
    return cut[sim_node_index(node)];
}

void db_down(bool down)
{
    store_up = !down;
    for (size_t i = 0; down && i < SESSIONS_MAX; i++)
        end_session(sessions[i], true);
    (void)store_released();
    if (down)
        tickets_fail_over();
}
