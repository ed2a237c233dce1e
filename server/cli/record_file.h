/* Records from files, for the subcommands that check and show them: a file holds one hand or several of a
 * session, and a session may lie in several files. Main thread. */
#ifndef RUMMYD_SERVER_CLI_RECORD_FILE_H
#define RUMMYD_SERVER_CLI_RECORD_FILE_H

#include "engine/record/record.h"

enum { RECORD_HANDS_MAX = 1000 }; /* of one call */

struct srv_record_hand {
    struct eng_record record; /* its steps are allocated */
    const char *path;         /* the caller's */
};
struct srv_record_book {
    struct srv_record_hand *hands;
    int n;
};

/* Adds the hands of a file, `-` the standard input. false: it said on stderr what is wrong, file, line,
 * column and what was expected; the hands before that are there. */
bool srv_record_book_read(struct srv_record_book *book, const char *path);
void srv_record_book_free(struct srv_record_book *book);
/* One line on stderr: what kind of wrong, where, whose, which cards, and why in words. */
void srv_record_tell(const struct srv_record_hand *hand, const struct eng_verdict *verdict);

#endif
