/* Frames from clients: decodes strict JSON to a command of a table. Hub thread. */
#ifndef RUMMYD_SERVER_WS_FRAME_H
#define RUMMYD_SERVER_WS_FRAME_H

#include <stddef.h>

#include "api/core/problem.h"
#include "tables/table.h"

enum { SRV_FRAME_IN_MAX = 8192 }; /* bytes of a frame from a client */

struct srv_frame {
    bool has_id; /* command.id is valid, so an error can name it */
    bool is_ping;
    struct tab_command command;    /* without the seat, which is that of the socket */
    char text[TAB_CHAT_BYTES_MAX]; /* text of TAB_DO_CHAT, or name of TAB_DO_EMOTE */
};

/* Decodes a frame; returns API_OK or the code for the nack. */
enum api_code srv_frame_read(struct srv_frame *frame, const char *text, size_t len);

#endif
