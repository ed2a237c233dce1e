/* What both ways to a record have in common: a player's and an operator's. REST loops. */
#ifndef RUMMYD_API_GAMES_H
#define RUMMYD_API_GAMES_H

#include "api/request.h"

/* The number of a hand in the query; 0: all of them. Else the request has failed. */
int64_t api_hand_read(struct api_request *request);
/* Answers with the record in that column, as a file. */
enum api_next api_record_reply(struct api_request *request, const PGresult *rows, const char *column);

#endif
