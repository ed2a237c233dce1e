/* All faults of a request's body members, parameters, and headers. A problem lists them as `errors` (an
 * extension of RFC 9457). Each has its place (a JSON Pointer, RFC 6901, or the name of the parameter or
 * header), a code of api/faults.def, the numbers or words in its sentence, and the sentence in English.
 * Pure, any thread. */
#ifndef RUMMYD_API_FAULTS_H
#define RUMMYD_API_FAULTS_H

#include "api/core/problem.h"

#include <stddef.h>
#include <stdint.h>

enum api_fault_code {
    API_FAULT_NONE,
#define API_FAULT(id, name, problem, text) API_FAULT_##id,
#include "api/faults.def"
#undef API_FAULT
    API_FAULT_CODES_N
};

enum api_fault_place { API_FAULT_MEMBER, API_FAULT_PARAMETER, API_FAULT_HEADER };

#define API_FAULTS_MAX 20      /* faults listed per request */
#define API_FAULT_NAME_MAX 128 /* bytes of a name, including the NUL */
#define API_DETAIL_MAX 200     /* bytes of a sentence, including the NUL */

/* A fault. A name that does not fit is truncated between characters; the pointer then leads to its
 * parent. */
struct api_fault {
    enum api_fault_code code;
    enum api_fault_place place;
    char name[API_FAULT_NAME_MAX];
    char parent[API_FAULT_NAME_MAX]; /* the member that contains this one; empty: the body itself */
    bool cut;                        /* name or parent is truncated */
    int64_t min, max;
    const char *const *allowed; /* words, NULL after the last; NULL: none. Outlives the fault */
};

struct api_faults {
    size_t n;
    struct api_fault list[API_FAULTS_MAX];
};

/* Sets the name from len bytes of UTF-8. */
void api_fault_name(struct api_fault *fault, const char *name, size_t len);

/* Adds the fault unless the list is full. */
void api_faults_add(struct api_faults *faults, const struct api_fault *fault);

/* "too_short". */
const char *api_fault_code_name(enum api_fault_code code);
/* The problem's code if this is the first fault. */
enum api_code api_fault_problem(const struct api_fault *fault);
/* Writes the fault's sentence, truncated to API_DETAIL_MAX. */
void api_fault_format(const struct api_fault *fault, char out[API_DETAIL_MAX]);

/* Writes the list as a JSON array. */
void api_faults_write(struct buf *out, const struct api_faults *faults);

#endif
