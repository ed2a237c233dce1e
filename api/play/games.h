/* Shared by both endpoints for records: the player's and the operator's. REST loops. */
#ifndef RUMMYD_API_GAMES_H
#define RUMMYD_API_GAMES_H

#include "api/core/request.h"

/* The hand number in the query; 0: all hands, or the request has failed. */
int64_t api_hand_read(struct api_request *request);
/* Replies with the record in that column, as a file. */
enum api_next api_record_reply(struct api_request *request, const PGresult *rows, const char *column);

#endif
