/* Stepping through the records of a session: places in it, and what they look like. Behind
 * `rummyd replay`; cmd_replay.c has the terminal. What a seat sees comes from eng_view and
 * eng_event_view. No I/O; one thread. */
#ifndef RUMMYD_SERVER_CLI_REPLAY_H
#define RUMMYD_SERVER_CLI_REPLAY_H

#include "server/cli/record_file.h"

/* ---- replay.c: places ---- */

/* So many moves of that hand have been made; 0: just dealt. */
struct srv_replay_place {
    int hand;
    uint32_t step;
};

struct srv_replay_hand {
    uint32_t steps;             /* that can be shown: up to the first that does not hold */
    uint32_t turns;             /* of them */
    struct eng_verdict verdict; /* of the whole hand, and of its following the one before it */
};

struct srv_replay {
    const struct srv_record_book *book; /* the caller's */
    struct srv_replay_hand *hands;
    int n; /* hands that can be shown: a wrong start ends it */
    bool holds;
};

/* Plays everything once. false: out of memory, or not even the first hand can start (verdict of hand 0). */
bool srv_replay_open(struct srv_replay *replay, const struct srv_record_book *book);
void srv_replay_close(struct srv_replay *replay);

/* The game at a place and what the last move told; at step 0 nothing. */
struct srv_replay_at {
    struct eng_game game;
    struct eng_outcome out;
    uint32_t turn; /* of the last move, from 1; 0: none was made */
};
void srv_replay_seek(const struct srv_replay *replay, struct srv_replay_place place,
                     struct srv_replay_at *at);

enum srv_replay_go {
    REPLAY_NEXT = 1,
    REPLAY_BACK,
    REPLAY_NEXT_TURN, /* to the end of the turn after it */
    REPLAY_BACK_TURN,
    REPLAY_NEXT_HAND,
    REPLAY_BACK_HAND,
    REPLAY_FIRST, /* of all */
    REPLAY_LAST,
};
/* Where that leads; the same place when there is nothing there. */
struct srv_replay_place srv_replay_step(const struct srv_replay *replay, struct srv_replay_place from,
                                        enum srv_replay_go where);
/* The end of that turn of the hand, the last one when there are fewer. */
struct srv_replay_place srv_replay_turn(const struct srv_replay *replay, int hand, uint32_t turn);

/* ---- replay_show.c: looks ---- */

enum { REPLAY_OPEN = 253, REPLAY_WIDTH_MIN = 40, REPLAY_TEXT_MAX = 64 * 1024 };

struct srv_replay_look {
    uint8_t viewer; /* seat, ENG_SPECTATOR or REPLAY_OPEN: all hands */
    bool utf8;      /* suits as signs, else letters */
    bool color;     /* escape sequences of a terminal */
    bool copies;    /* of which pack a card is */
    int width;      /* of the lines, in characters */
};

/* The whole table, lines with a newline each. */
void srv_replay_table(const struct srv_replay *replay, struct srv_replay_place place,
                      const struct srv_replay_look *look, struct buf *out);
/* The step that led there, one line. */
void srv_replay_line(const struct srv_replay *replay, struct srv_replay_place place,
                     const struct srv_replay_look *look, struct buf *out);

/* ---- replay_words.c: words ---- */

void srv_replay_card(const struct srv_replay_look *look, const struct eng_game *game, uint8_t card,
                     struct buf *out);
void srv_replay_cards(const struct srv_replay_look *look, const struct eng_game *game, const uint8_t *cards,
                      int n, struct buf *out);
/* A grouping: its groups in brackets, the rest after them. */
void srv_replay_groups(const struct srv_replay_look *look, const struct eng_game *game, const uint8_t *cards,
                       int n, const uint8_t *lens, int groups, struct buf *out);
/* The player's name, or "seat 2". */
void srv_replay_name(const struct srv_replay_look *look, const struct eng_record *record, uint8_t seat,
                     struct buf *out);
/* What the event says to the viewer, without a full stop; false: nothing worth telling. */
bool srv_replay_event(const struct srv_replay_look *look, const struct eng_record *record,
                      const struct eng_game *game, const struct eng_event *event, struct buf *out);
/* Why the record does not hold. */
void srv_replay_verdict(const struct eng_verdict *verdict, struct buf *out);

#endif
