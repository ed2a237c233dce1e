/* Steps through the records of a session: positions and their rendering. Used by `rummyd replay`;
 * cmd_replay.c handles the terminal. eng_view and eng_event_view limit the information of a seat. No I/O;
 * one thread. */
#ifndef RUMMYD_SERVER_CLI_REPLAY_H
#define RUMMYD_SERVER_CLI_REPLAY_H

#include "server/cli/record_file.h"

/* ---- replay.c: positions ---- */

/* step: number of moves made in that hand; 0: just dealt. */
struct srv_replay_place {
    int hand;
    uint32_t step;
};

struct srv_replay_hand {
    uint32_t steps; /* steps that can be shown: those before the first invalid one */
    uint32_t turns;
    struct eng_verdict verdict; /* of the whole hand, including whether it continues the previous one */
};

struct srv_replay {
    const struct srv_record_book *book; /* owned by the caller */
    struct srv_replay_hand *hands;
    int n; /* hands that can be shown: those before the first with an invalid start */
    bool holds;
};

/* Replays everything once. false: out of memory, or the first hand has an invalid start (see the verdict of
 * hand 0). */
bool srv_replay_open(struct srv_replay *replay, const struct srv_record_book *book);
void srv_replay_close(struct srv_replay *replay);

/* The game at a position, and the events of the last move; none at step 0. */
struct srv_replay_at {
    struct eng_game game;
    struct eng_outcome out;
    uint32_t turn; /* turn of the last move, from 1; 0: no move yet */
};
void srv_replay_seek(const struct srv_replay *replay, struct srv_replay_place place,
                     struct srv_replay_at *at);

enum srv_replay_go {
    REPLAY_NEXT = 1,
    REPLAY_BACK,
    REPLAY_NEXT_TURN, /* to the end of the next turn */
    REPLAY_BACK_TURN,
    REPLAY_NEXT_HAND,
    REPLAY_BACK_HAND,
    REPLAY_FIRST, /* of the whole session */
    REPLAY_LAST,
};
/* Returns the position after that step, or `from` if there is none. */
struct srv_replay_place srv_replay_step(const struct srv_replay *replay, struct srv_replay_place from,
                                        enum srv_replay_go where);
/* Returns the end of that turn, or of the hand's last turn if it has fewer. */
struct srv_replay_place srv_replay_turn(const struct srv_replay *replay, int hand, uint32_t turn);

/* ---- replay_show.c: rendering ---- */

enum { REPLAY_OPEN = 253, REPLAY_WIDTH_MIN = 40, REPLAY_TEXT_MAX = 64 * 1024 };

struct srv_replay_style {
    uint8_t viewer; /* seat, ENG_SPECTATOR, or REPLAY_OPEN: all hands visible */
    bool utf8;      /* suits as symbols, otherwise letters */
    bool color;     /* terminal escape sequences */
    bool copies;    /* show which pack a card belongs to */
    int width;      /* maximum line width in characters */
};

/* Renders the whole table; each line ends with a newline. */
void srv_replay_table(const struct srv_replay *replay, struct srv_replay_place place,
                      const struct srv_replay_style *style, struct buf *out);
/* Renders the step that led to this position, as one line. */
void srv_replay_line(const struct srv_replay *replay, struct srv_replay_place place,
                     const struct srv_replay_style *style, struct buf *out);

/* ---- replay_words.c: words ---- */

void srv_replay_card(const struct srv_replay_style *style, const struct eng_game *game, uint8_t card,
                     struct buf *out);
void srv_replay_cards(const struct srv_replay_style *style, const struct eng_game *game, const uint8_t *cards,
                      int n, struct buf *out);
/* A grouping: its groups in brackets, then the remaining cards. */
void srv_replay_groups(const struct srv_replay_style *style, const struct eng_game *game,
                       const uint8_t *cards, int n, const uint8_t *lens, int groups, struct buf *out);
/* The player's name, or "seat 2". */
void srv_replay_name(const struct srv_replay_style *style, const struct eng_record *record, uint8_t seat,
                     struct buf *out);
/* Describes the event to the viewer, without a period; false: there is nothing to show. */
bool srv_replay_event(const struct srv_replay_style *style, const struct eng_record *record,
                      const struct eng_game *game, const struct eng_event *event, struct buf *out);
/* Why the record is invalid. */
void srv_replay_verdict(const struct eng_verdict *verdict, struct buf *out);

#endif
