/* Names of frames, commands and their members, emotes, and close codes. frames.def is generated from
 * asyncapi.yaml, so that nothing outside the contract can be sent or read. Pure, any thread. */
#ifndef RUMMYD_WIRE_FRAMES_H
#define RUMMYD_WIRE_FRAMES_H

#include <stddef.h>

/* Server frames other than events. */
enum wire_frame {
#define WIRE_FRAME(id, name) WIRE_FRAME_##id,
#include "wire/frames.def"
    WIRE_FRAMES_N
};
const char *wire_frame_name(enum wire_frame frame);

/* Client commands. */
enum wire_command_name {
#define WIRE_COMMAND(id, name, needs, may) WIRE_COMMAND_##id,
#include "wire/frames.def"
    WIRE_COMMANDS_N
};
/* Members of the data of commands. */
enum wire_member {
#define WIRE_MEMBER(id, name) WIRE_MEMBER_##id,
#include "wire/frames.def"
    WIRE_MEMBERS_N
};
#define WIRE_HAS(id) (1u << WIRE_MEMBER_##id)

struct wire_command_spec {
    const char *name;
    unsigned needs, may; /* required and optional members, as a mask of WIRE_HAS */
};
extern const struct wire_command_spec wire_command_specs[WIRE_COMMANDS_N];
extern const char *const wire_member_names[WIRE_MEMBERS_N];

enum wire_close {
#define WIRE_CLOSE(id, code) WIRE_CLOSE_##id = (code),
#include "wire/frames.def"
};

#endif
