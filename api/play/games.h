/* Shared by the record endpoints of players and operators. REST loops. */
#ifndef RUMMYD_API_GAMES_H
#define RUMMYD_API_GAMES_H

#include "api/core/request.h"

/* Reads the hand number in the query. 0: all hands, or the request has failed. */
int64_t api_hand_read(struct api_request *request);
/* Replies with the record in that column, as a file. */
enum api_next api_record_reply(struct api_request *request, const PGresult *rows, const char *column);

#endif
