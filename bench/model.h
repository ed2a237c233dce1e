/* The load generator's model of a table, built from the frames of its seats, and the checks on it:
 * versions without gaps, the same public event for all viewers, no hidden card in another viewer's frame,
 * and no lost or duplicated card. The load generator calls it for each frame; independent of sockets. One
 * thread. */
#ifndef RUMMYD_BENCH_MODEL_H
#define RUMMYD_BENCH_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/scan.h"
#include "engine/eng.h"

enum {
    MODEL_SEATS_MAX = 4,
    MODEL_RECENT = 64,  /* public events kept to compare the viewers' texts */
    MODEL_V_MAX = 8192, /* versions of one game whose texts a seat can remember */
};

/* Server errors that are visible in frames. */
enum flaw {
    FLAW_BAD_FRAME, /* not JSON, no type, or a required version is missing */
    FLAW_GAP,       /* a version was skipped */
    FLAW_REPEAT,    /* an event arrived twice on a connection */
    FLAW_DIFFERS,   /* different texts for one version, for two viewers or after a reconnect */
    FLAW_LEAK,      /* a hidden card in another viewer's frame */
    FLAW_CARDS,     /* a missing, duplicated, or misplaced card */
    FLAW_ACK_EARLY, /* an ack before its event on the same socket */
    FLAW_LOST,      /* the server lost events that it had sent or acknowledged */
    FLAW_NACK,      /* a legal command was refused */
    FLAW_END,
};
const char *flaw_name(enum flaw flaw);
extern uint64_t flaw_counts[FLAW_END];

struct card_set {
    uint64_t bits[2];
};
static inline bool set_has(const struct card_set *s, unsigned card)
{
    return s->bits[card >> 6] >> (card & 63) & 1U;
}
static inline int set_count(const struct card_set *s)
{
    return __builtin_popcountll(s->bits[0]) + __builtin_popcountll(s->bits[1]);
}

enum model_phase { MODEL_WAITING, MODEL_TO_DRAW, MODEL_TO_PLAY, MODEL_BETWEEN, MODEL_OVER };

/* A viewer: its private state, and the version it has reached. */
struct model_seat {
    uint8_t seat;
    bool ours;     /* we hold this seat */
    bool synced;   /* hand and v are known */
    uint8_t drawn; /* card drawn in this turn; ENG_NO_CARD: none */
    uint32_t v;    /* version of its state */
    uint32_t told; /* last version received on this connection; less than v while known events are repeated */
    struct card_set hand;
    uint32_t *texts; /* per version, the hash of its event as this seat saw it; NULL: not kept */
};

struct model_table {
    int64_t id;
    uint8_t seats_n;
    struct model_seat seats[MODEL_SEATS_MAX];
    /* Public state after event `v`, from the viewer that received it first. */
    uint32_t v;
    uint8_t phase; /* enum model_phase */
    uint8_t to_move;
    int16_t stock_n;
    uint16_t pile_n, pack_n;
    uint8_t pile[ENG_CARD_MAX];
    struct card_set melds;
    bool whole; /* the public state is complete */
    struct {
        uint32_t v, hash;
    } recent[MODEL_RECENT];
};

/* The relevant members of a frame. */
struct frame {
    struct span type, data, id, code, whole;
    int64_t v, seat;
};
/* Parses a frame; its spans are valid until the next call. false: not a frame of the protocol. */
bool frame_read(struct frame *f, const char *text, size_t len);

/* Call for a new connection of a seat, which requests the events after from_v (0: the whole state).
 * Requesting an earlier version than that of the state checks that the server repeats the same events. */
void model_connected(struct model_seat *s, uint32_t from_v);
void model_event(struct model_table *t, struct model_seat *s, const struct frame *f);
/* Call when the server has sent all events that the connection missed. */
void model_caught_up(const struct model_table *t, struct model_seat *s);
void model_snapshot(struct model_table *t, struct model_seat *s, const struct frame *f);
/* If all seats are ours and at the same version, checks that every card exists exactly once. */
void model_check_cards(const struct model_table *t);
/* Chooses a card to discard: the drawn one if possible, otherwise the lowest natural one above `above`. */
uint8_t model_discard(const struct model_seat *s, uint8_t above);
/* Counts a flaw and prints the first ones of each kind. */
void flaw_note(enum flaw flaw, int64_t table_id, int seat, struct span text);

#endif
