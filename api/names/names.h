/* Nicknames: rules, and detection of names that look alike (Unicode UTS #39 and UAX #31, with ICU). Texts
 * are UTF-8. Pure, any thread. */
#ifndef RUMMYD_API_NAMES_H
#define RUMMYD_API_NAMES_H

#include "api/core/faults.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API_NAME_BYTES_MAX 120 /* fits TAB_NICK_MAX (tables/ports.h) */
#define API_NAME_KEY_MAX 256   /* bytes of a key or a folded name, including the NUL */
#define API_NAME_KEYS_MAX 2
#define API_NAME_BY_MAX 32

/* A name as stored. Two names look alike if they share a key. To make a key, the name is folded (case,
 * width) and each character is replaced by its prototype, repeatedly until nothing changes. One key starts
 * with folding, the other with prototypes, because "I" resembles "l", but "i" does not. */
struct api_name {
    char nickname[API_NAME_BYTES_MAX + 1]; /* NFKC except for two vowels, with one kind of apostrophe */
    char folded[API_NAME_KEY_MAX];         /* for searches */
    char keys[API_NAME_KEYS_MAX][API_NAME_KEY_MAX];
    size_t keys_n;
};

/* The length of the stored form in characters; more than any maximum if the name is too long to count. */
int64_t api_name_length(const char *text);
/* The fault of a name of valid length; API_FAULT_NONE: the name is allowed. */
enum api_fault_code api_name_judge(const char *text);
/* Whether the name is reserved. */
bool api_name_reserved(const char *text);
/* Fills in an accepted name. false: the name is too long. */
bool api_name_make(const char *text, struct api_name *name);
/* The version of the rules and tables that make keys. Keys of different versions may differ. */
void api_name_version(char out[API_NAME_BY_MAX]);

#endif
