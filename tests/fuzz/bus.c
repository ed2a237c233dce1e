/* Bus input: a subject, a line end, a payload; and bus URLs. Parsed messages equal those that we would
 * write. */
#include "bus/bus.h"
#include "base/bug.h"

#include <string.h>

enum { TEXT_MAX = 2 * BUS_URL_MAX };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_MAX + 1], written[BUS_SUBJECT_MAX];
    const size_t len = size < TEXT_MAX ? size : TEXT_MAX;
    memcpy(text, data, len);
    text[len] = '\0';
    (void)bus_url_check(text);

    const size_t subject = strcspn(text, "\n");
    const char *payload = subject < len ? text + subject + 1 : BUS_PAYLOAD;
    const size_t payload_len = subject < len ? len - subject - 1 : strlen(BUS_PAYLOAD);
    text[subject] = '\0';
    struct bus_message message = {.kind = BUS_KINDS_N, .id = -1};
    if (bus_message_read(&message, text, payload, payload_len)) {
        bus_message_write(&message, written);
        ASSERT(strcmp(written, text) == 0);
    } else {
        ASSERT(message.kind == BUS_KINDS_N && message.id == -1);
    }
    return 0;
}
