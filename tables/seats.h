/* Who sits at a table, and their sockets: connected, gone, closed, and what every seat is told first. Hub
 * thread. */
#ifndef RUMMYD_TABLES_SEATS_H
#define RUMMYD_TABLES_SEATS_H

#include "tables/table.h"

/* Who sits there from now on; taken: by a person or a bot. */
void tab_seats_put(struct tab_table *table, uint8_t seat, const struct tab_person *person, bool taken);
/* Nobody sits there any more, and nothing is known of who did. Nobody may be connected. */
void tab_seats_clear(struct tab_table *table, uint8_t seat);

/* The seat's socket is that one, which waits to be greeted; an older one is closed. */
void tab_seats_connect(struct tab_table *table, uint8_t seat, tab_socket *socket, int64_t since);
/* The socket that waited is the seat's. The phase greets it then. */
void tab_seats_admit(struct tab_table *table, uint8_t seat);
/* The socket is gone, and everybody is told. false: it was not the seat's. */
bool tab_seats_disconnect(struct tab_table *table, uint8_t seat, const tab_socket *socket);
/* Closes what is connected there. */
void tab_seats_close(struct tab_table *table, uint8_t seat, int close_code);

/* The whole table once more, for every seat with its clock and for those who watch: a hand begins. */
void tab_seats_welcome_all(struct tab_table *table);
/* What a seat that has connected to a dealt game is told first: what it misses since joining_since, who is
 * connected, how many watch. The others hear that it is here. */
void tab_seats_greet(struct tab_table *table, uint8_t seat);

/* A seat's client seed for the next deal goes to the journal; a shared deal takes none. */
void tab_seats_take_seed(struct tab_table *table, const struct tab_command *command);
/* A client seed came back from the journal: it is the seat's, or the command is refused. */
void tab_seats_seeded(struct tab_table *table);

#endif
