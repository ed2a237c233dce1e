/* Nicknames: which ones there may be, and which look alike (Unicode UTS #39 and UAX #31, by ICU). Texts are
 * UTF-8. Pure, any thread. */
#ifndef RUMMYD_API_NAMES_H
#define RUMMYD_API_NAMES_H

#include "api/faults.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API_NAME_CHARS_MIN 2
#define API_NAME_CHARS_MAX 20  /* what people call a character: a grapheme cluster */
#define API_NAME_BYTES_MAX 120 /* TAB_NICK_MAX (tables/ports.h) holds it */
#define API_NAME_KEY_MAX 256   /* bytes of a key or a folded name, with the NUL */
#define API_NAME_KEYS_MAX 2
#define API_NAME_BY_MAX 32

/* A name as it is stored. Two names look alike when they have a key in common: a name is folded (case,
 * width), then each of its characters is replaced by the one it is like, and again until nothing changes.
 * Once it begins with the folding, once with the likeness, for "I" is like "l", but "i" is not. */
struct api_name {
    char nickname[API_NAME_BYTES_MAX + 1]; /* NFKC, with one kind of apostrophe */
    char folded[API_NAME_KEY_MAX];         /* for searches */
    char keys[API_NAME_KEYS_MAX][API_NAME_KEY_MAX];
    size_t keys_n;
};

/* Characters of it as it would be stored; more than any maximum when they are too many to count. */
int64_t api_name_length(const char *text);
/* What is wrong with a name of a right length; API_FAULT_NONE: somebody may choose it. */
enum api_fault_code api_name_judge(const char *text);
/* Whether nobody may choose it. */
bool api_name_reserved(const char *text);
/* Makes one that was admitted. false: it is too long. */
bool api_name_make(const char *text, struct api_name *name);
/* Which rules and tables make keys: those of another version may differ. */
void api_name_version(char out[API_NAME_BY_MAX]);

#endif
