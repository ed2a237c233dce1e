/* Names of frames, commands and their members, emotes, and close codes, as asyncapi.yaml has them: frames.def
 * is made from it. What is not in the contract cannot be sent or read. Pure, any thread. */
#ifndef RUMMYD_TABLES_FRAMES_H
#define RUMMYD_TABLES_FRAMES_H

#include <stddef.h>

/* What the server sends that is no event. */
enum tab_frame {
#define TAB_FRAME(id, name) TAB_FRAME_##id,
#include "tables/frames.def"
    TAB_FRAMES_N
};
const char *tab_frame_name(enum tab_frame frame);

/* What clients send. */
enum tab_command_name {
#define TAB_COMMAND(id, name, needs, may) TAB_COMMAND_##id,
#include "tables/frames.def"
    TAB_COMMANDS_N
};
/* The members of their data. */
enum tab_member {
#define TAB_MEMBER(id, name) TAB_MEMBER_##id,
#include "tables/frames.def"
    TAB_MEMBERS_N
};
#define TAB_HAS(id) (1u << TAB_MEMBER_##id)

struct tab_command_spec {
    const char *name;
    unsigned needs, may; /* members, TAB_HAS of each */
};
extern const struct tab_command_spec tab_command_specs[TAB_COMMANDS_N];
extern const char *const tab_member_names[TAB_MEMBERS_N];

enum tab_close {
#define TAB_CLOSE(id, code) TAB_CLOSE_##id = (code),
#include "tables/frames.def"
};

#endif
