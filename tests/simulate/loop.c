/* The loop of a node's hub, replacing libev: the part that server/hub uses. Callbacks run as events of the
 * world, never within a fiber, because the hub waits only in its loop. */
#include "tests/simulate/sim.h"

#include <ev.h>
#include <stdlib.h>

#include "base/bug.h"
#include "server/nodes/lease.h"
#include "server/ws/ws.h"

struct ev_loop {
    struct sim_node *node;
    ev_prepare *prepare;
    ev_check *check;
    ev_timer *beat;   /* the timer that checks whether the lease is held */
    bool beat_is_set; /* set for the next beat, because something has happened */
    bool runs, once, wakes, ends;
    int next_id; /* id for the next started watcher; events of earlier ones are ignored */
};

enum { BEAT_REST_MS = 200 };

static void beat(void *arg, int64_t id);

/* A beat has no effect unless something has happened since the last one, or the lease has expired. So only
 * these beats are simulated: the next one after each loop iteration, and the one after the lease's end. */
static void set_beat(struct ev_loop *loop, bool happened)
{
    if (!loop->beat || (loop->beat_is_set && happened))
        return;
    int64_t every = (int64_t)(loop->beat->repeat * 1e6), next = (sim_now / every + 1) * every;
    const struct srv_lease *lease = sim_node_lease(loop->node);
    if (!happened && lease) {
        int64_t left_ms = 2500 - srv_lease_age_ms(lease);
        next += (left_ms > 0 ? left_ms : BEAT_REST_MS) * SIM_MS / every * every;
    }
    loop->beat_is_set = happened;
    loop->beat->active = ++loop->next_id;
    sim_at(next, loop->node, beat, loop, loop->beat->active);
}

static void turn_begins(struct ev_loop *loop)
{
    if (loop->check)
        loop->check->cb(loop, loop->check, EV_CHECK);
}

static void turn_ends(struct ev_loop *loop, bool happened)
{
    if (loop->prepare)
        loop->prepare->cb(loop, loop->prepare, EV_PREPARE);
    set_beat(loop, happened);
    if (loop->once || loop->ends)
        sim_fiber_wake_all(loop->node, loop, false);
}

static void beat(void *arg, int64_t id)
{
    struct ev_loop *loop = arg;
    if (!loop->beat || loop->beat->active != id)
        return;
    loop->beat_is_set = false;
    if (!loop->runs) {
        set_beat(loop, true);
        return;
    }
    turn_begins(loop);
    loop->beat->cb(loop, loop->beat, EV_TIMER);
    turn_ends(loop, false);
}

/* ---- Timers ---- */
static struct ev_loop *loop_of_node[SIM_NODES_MAX];

static void timer_due(void *arg, int64_t id)
{
    ev_timer *timer = arg;
    struct ev_loop *loop = loop_of_node[sim_node_index(sim_node_now())];
    if (!loop || timer->active != id)
        return;
    if (!loop->runs) {
        sim_after(SIM_MS, loop->node, timer_due, timer, id);
        return;
    }
    if (timer->repeat > 0)
        sim_after((int64_t)(timer->repeat * 1e6), loop->node, timer_due, timer, id);
    else
        timer->active = 0;
    turn_begins(loop);
    timer->cb(loop, timer, EV_TIMER);
    turn_ends(loop, true);
}

void ev_timer_start(struct ev_loop *loop, ev_timer *timer) EV_NOEXCEPT
{
    if (!loop->beat && timer->at > 0 && timer->at * 1000 <= (double)SRV_WS_BEAT_MS) {
        loop->beat = timer;
        set_beat(loop, true);
        return;
    }
    timer->active = ++loop->next_id;
    sim_after((int64_t)(timer->at * 1e6), loop->node, timer_due, timer, timer->active);
}

void ev_timer_again(struct ev_loop *loop, ev_timer *timer) EV_NOEXCEPT
{
    timer->active = ++loop->next_id;
    sim_after((int64_t)(timer->repeat * 1e6), loop->node, timer_due, timer, timer->active);
}

void ev_timer_stop(struct ev_loop *loop, ev_timer *timer) EV_NOEXCEPT
{
    if (loop->beat == timer)
        loop->beat = NULL;
    timer->active = 0;
}

struct once {
    struct ev_loop *loop;
    void (*cb)(int revents, void *arg);
    void *arg;
};

static void once_due(void *arg, int64_t number)
{
    struct once once = *(struct once *)arg;
    (void)number;
    free(arg);
    turn_begins(once.loop);
    once.cb(EV_TIMER, once.arg);
    turn_ends(once.loop, true);
}

void ev_once(struct ev_loop *loop, int fd, int events, ev_tstamp timeout, void (*cb)(int revents, void *arg),
             void *arg) EV_NOEXCEPT
{
    struct once *once = malloc(sizeof(*once));
    ASSERT(once && fd < 0 && events == 0);
    *once = (struct once){loop, cb, arg};
    sim_after((int64_t)(timeout * 1e6), loop->node, once_due, once, 0);
}

/* ---- Wakes ---- */
static void woken(void *arg, int64_t number)
{
    ev_async *async = arg;
    struct ev_loop *loop = loop_of_node[sim_node_index(sim_node_now())];
    (void)number;
    if (!loop || !loop->wakes)
        return;
    if (!loop->runs) {
        sim_after(SIM_MS, loop->node, woken, async, 0);
        return;
    }
    loop->wakes = false;
    turn_begins(loop);
    async->cb(loop, async, EV_ASYNC);
    turn_ends(loop, true);
}

void ev_async_start(struct ev_loop *loop, ev_async *async) EV_NOEXCEPT
{
    (void)loop;
    async->active = 1;
}

void ev_async_send(struct ev_loop *loop, ev_async *async) EV_NOEXCEPT
{
    if (loop->wakes)
        return;
    loop->wakes = true;
    sim_after(5, loop->node, woken, async, 0);
}

/* ---- Events of a node's sockets and statements run in an iteration of its loop ---- */
struct turn {
    sim_fn *fn;
    void *arg;
    int64_t number;
};

static void take_turn(void *arg, int64_t number)
{
    struct turn *turn = arg;
    struct ev_loop *loop = loop_of_node[sim_node_index(sim_node_now())];
    (void)number;
    if (loop && !loop->runs) {
        sim_after(SIM_MS, loop->node, take_turn, turn, 0);
        return;
    }
    struct turn now = *turn;
    free(turn);
    if (!loop)
        return;
    turn_begins(loop);
    now.fn(now.arg, now.number);
    turn_ends(loop, true);
}

void sim_loop_turn(int64_t at_us, struct sim_node *node, sim_fn *fn, void *arg, int64_t number)
{
    struct turn *turn = malloc(sizeof(*turn));
    ASSERT(turn);
    *turn = (struct turn){fn, arg, number};
    sim_at(at_us, node, take_turn, turn, 0);
}

/* ---- Creation and release ---- */
struct ev_loop *ev_loop_new(unsigned int flags) EV_NOEXCEPT
{
    struct ev_loop *loop = calloc(1, sizeof(*loop));
    (void)flags;
    ASSERT(loop);
    loop->node = sim_node_now();
    loop_of_node[sim_node_index(loop->node)] = loop;
    return loop;
}

void ev_loop_destroy(struct ev_loop *loop) EV_NOEXCEPT
{
    loop_of_node[sim_node_index(loop->node)] = NULL;
    free(loop);
}

void sim_loop_dead(struct sim_node *node)
{
    loop_of_node[sim_node_index(node)] = NULL;
}

void ev_prepare_start(struct ev_loop *loop, ev_prepare *prepare) EV_NOEXCEPT
{
    loop->prepare = prepare;
}

void ev_check_start(struct ev_loop *loop, ev_check *check) EV_NOEXCEPT
{
    loop->check = check;
}

int ev_run(struct ev_loop *loop, int flags)
{
    loop->runs = true;
    loop->once = (flags & EVRUN_ONCE) != 0;
    do
        (void)sim_fiber_park(loop, -1);
    while (!loop->once && !loop->ends);
    loop->runs = false;
    return 0;
}

void ev_break(struct ev_loop *loop, int how) EV_NOEXCEPT
{
    (void)how;
    loop->ends = true;
}

void ev_now_update(struct ev_loop *loop) EV_NOEXCEPT
{
    (void)loop;
}
