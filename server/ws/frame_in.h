/* Shared by the files of the frame decoder. */
#ifndef RUMMYD_SERVER_WS_FRAME_IN_H
#define RUMMYD_SERVER_WS_FRAME_IN_H

#include "base/jread.h"
#include "server/ws/frame.h"

/* Reads the text of TAB_DO_CHAT and TAB_DO_EMOTE into frame->text. */
enum api_code srv_frame_chat(struct srv_frame *frame, const struct jread_node *d);

#endif
