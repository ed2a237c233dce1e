/* Body specs: the members of a JSON object, with types and ranges. All faults of an invalid body are
 * listed, in the order of its members, missing ones last. The first fault determines the problem's code and
 * detail. Pure, any thread. */
#ifndef RUMMYD_API_SPEC_H
#define RUMMYD_API_SPEC_H

#include "api/core/faults.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API_SPEC_MEMBERS_MAX 20

enum api_spec_type {
    API_SPEC_TEXT,
    API_SPEC_INT,
    API_SPEC_BOOL,
    API_SPEC_INT_OR_NULL, /* null: flag is set */
    API_SPEC_WORDS,       /* a list of min to max distinct words from `choices` */
    API_SPEC_OBJECT,      /* of strings and integers; the endpoint reads its members */
};

/* Whether the value is a whole number in any notation (5, 5.0, 5e0), which JSON Schema calls an integer.
 * *number: its value, or the limit of int64_t that it exceeds. */
bool api_json_whole(const json_t *json, int64_t *number);

/* A rule for a string, in addition to its length and choices; see api/rules.def. */
struct api_spec_rule {
    int64_t (*length)(const char *text);            /* length compared with min and max; NULL: code points */
    bool (*valid)(const char *text);                /* validator (validators.h); NULL: any string */
    enum api_fault_code fault;                      /* the fault if `valid` rejects it */
    enum api_fault_code (*judge)(const char *text); /* returns the fault; NULL: use `valid` */
};

struct api_spec_member {
    const char *name;
    enum api_spec_type type;
    bool required;
    int64_t min, max; /* an integer's range; a string's length in characters; number of members of an object,
                         or of items of a list */
    const char *const
        *choices; /* words for a string or the items of a list, NULL after the last; NULL: any */
    const struct api_spec_rule *rule; /* for a string; NULL: no further rule */
};

struct api_spec {
    const struct api_spec_member *members;
    size_t members_n; /* at most API_SPEC_MEMBERS_MAX */
    size_t bytes_max; /* bytes of the whole body */
    bool optional;    /* an empty body counts as an object without members */
};

/* For a body without content: empty, or an object without members. */
extern const struct api_spec api_spec_empty;

/* A member's value; text and object (for a list: the array) are borrowed from the parsed tree. */
struct api_spec_value {
    bool set;
    bool flag;
    int64_t number;
    const char *text;
    const json_t *object;
};

struct api_spec_error {
    enum api_code code;
    struct api_problem_data data;
    struct api_faults faults; /* empty: the body as a whole is not a JSON object, or is too long */
};

/* Parses a body; values[i] belongs to members[i]. On success *tree owns the strings of the values
 * (json_decref it when done; NULL for an empty optional body). On failure *tree is NULL and *error has the
 * reason. */
bool api_spec_read(const struct api_spec *spec, const char *body, size_t len, json_t **tree,
                   struct api_spec_value values[API_SPEC_MEMBERS_MAX], struct api_spec_error *error);

#endif
