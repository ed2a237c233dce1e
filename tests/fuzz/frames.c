/* Frames of clients: any bytes. The JSON parser agrees with jansson, and an accepted command is in the
 * contract. */
#include "base/bug.h"
#include "server/ws/frame.h"
#include "tests/base/jread_oracle.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct srv_frame frame;
    ASSERT(jread_agrees((const char *)data, size));
    if (srv_frame_read(&frame, (const char *)data, size) != API_OK)
        return 0;
    ASSERT(frame.has_id && strlen(frame.command.id) > 0);
    ASSERT(frame.command.move.n <= ENG_MOVE_CARDS_MAX && frame.command.move.groups < ENG_MOVE_CARDS_MAX);
    return 0;
}
