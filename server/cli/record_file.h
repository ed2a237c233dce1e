/* Reads records from files for the subcommands that check and show them: a file holds one hand or several
 * hands of a session, and a session can span several files. Main thread. */
#ifndef RUMMYD_SERVER_CLI_RECORD_FILE_H
#define RUMMYD_SERVER_CLI_RECORD_FILE_H

#include "engine/record/record.h"

enum { RECORD_HANDS_MAX = 1000 }; /* per call */

struct srv_record_hand {
    struct eng_record record; /* its steps are on the heap */
    const char *path;         /* owned by the caller */
};
struct srv_record_book {
    struct srv_record_hand *hands;
    int n;
};

/* Adds the hands of a file, or of standard input if path is `-`. false: the error (file, line, column, and
 * expected input) was printed on stderr; the hands before it were added. */
bool srv_record_book_read(struct srv_record_book *book, const char *path);
/* Like srv_record_book_read, for a text; messages call it `path`. */
bool srv_record_book_add(struct srv_record_book *book, const char *path, const char *text, size_t len);
void srv_record_book_free(struct srv_record_book *book);
/* Prints one line on stderr: the kind of error, its position, the player, the cards, and an explanation. */
void srv_record_print_verdict(const struct srv_record_hand *hand, const struct eng_verdict *verdict);

#endif
