/* Body specs: which members a JSON object may have, of which type and range. A body that is not right gets a
 * list of everything that is wrong with it, in the order of its members, what is missing last; the first
 * gives the problem its code and its detail. Pure, any thread. */
#ifndef RUMMYD_API_SPEC_H
#define RUMMYD_API_SPEC_H

#include "api/faults.h"

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
    API_SPEC_WORDS,       /* a list of min to max different words of `choices` */
    API_SPEC_OBJECT,      /* of texts and integers; the endpoint reads its members */
};

/* Whether it is a whole number, which JSON Schema calls an integer however it is written: 5, 5.0, 5e0.
 * `number` is its value, or the bound of int64_t it is beyond. */
bool api_json_whole(const json_t *json, int64_t *number);

struct api_spec_member {
    const char *name;
    enum api_spec_type type;
    bool required;
    int64_t min,
        max; /* an integer's range; a text's length in characters; an object's members; a list's items */
    const char *const
        *choices; /* a text, or each of a list, is one of these words, NULL behind the last; NULL: any */
    int64_t (*length)(const char *text);            /* of a text, what min and max bound; NULL: code points */
    bool (*valid)(const char *text);                /* of a text (validators.h); NULL: any */
    enum api_fault_code fault;                      /* of one that `valid` does not take */
    enum api_fault_code (*judge)(const char *text); /* of a text: what is wrong with it; NULL: `valid` says */
};

struct api_spec {
    const struct api_spec_member *members;
    size_t members_n; /* API_SPEC_MEMBERS_MAX at most */
    size_t bytes_max; /* of the whole body */
    bool optional;    /* an empty body stands for an object without members */
};

/* Of a body that says nothing: empty, or an object without members. */
extern const struct api_spec api_spec_empty;

/* A member's value; text and object (of a list: the array) are borrowed from the tree it was read from. */
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
    struct api_faults faults; /* empty: the body as a whole is no JSON object, or too long */
};

/* Reads a body. values[i] belongs to members[i]. On success *tree owns the texts of the values
 * (json_decref it when done; NULL for an empty optional body). On failure *tree is NULL and
 * *error says why. */
bool api_spec_read(const struct api_spec *spec, const char *body, size_t len, json_t **tree,
                   struct api_spec_value values[API_SPEC_MEMBERS_MAX], struct api_spec_error *error);

#endif
