/* The seats of a table and their sockets: connecting, disconnecting, closing, and the first frames for each
 * seat. Hub thread. */
#ifndef RUMMYD_TABLES_SEATS_H
#define RUMMYD_TABLES_SEATS_H

#include "tables/table.h"

/* Seats a player or bot. taken: the seat is not empty. */
void tab_seats_put(struct tab_table *table, uint8_t seat, const struct tab_person *person, bool taken);
/* Empties the seat and forgets its player. The seat must not be connected. */
void tab_seats_clear(struct tab_table *table, uint8_t seat);

/* Attaches a socket, which then waits to be greeted, to the seat. An older socket is closed. */
void tab_seats_connect(struct tab_table *table, uint8_t seat, tab_socket *socket, int64_t since);
/* Makes the waiting socket the seat's socket. After this, the phase greets it. */
void tab_seats_admit(struct tab_table *table, uint8_t seat);
/* Detaches the socket and notifies all clients. false: it was not the seat's socket. */
bool tab_seats_disconnect(struct tab_table *table, uint8_t seat, const tab_socket *socket);
void tab_seats_close(struct tab_table *table, uint8_t seat, int close_code);

/* Sends the whole table, with its clock, to every seat and all spectators when a hand begins. */
void tab_seats_welcome_all(struct tab_table *table);
/* Greets a seat that has connected to a dealt game: sends everything missing since joining_since, which
 * seats are connected, and the number of spectators. Notifies the others of the connection. */
void tab_seats_greet(struct tab_table *table, uint8_t seat);

/* Writes a seat's client seed for the next deal to the journal; a shared deal accepts none. */
void tab_seats_take_seed(struct tab_table *table, const struct tab_command *command);
/* Called when the write of a client seed has completed: stores the seed, or refuses the command. */
void tab_seats_seeded(struct tab_table *table);

#endif
