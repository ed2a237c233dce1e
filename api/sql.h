/* Operations whose answer is what one SQL function returns as JSON. The contract names the function and its
 * arguments (x-sql), and scripts/bundle writes api/sql.def from it. REST loops. */
#ifndef RUMMYD_API_SQL_H
#define RUMMYD_API_SQL_H

#include "api/core/operations.h"

/* `begin` of such an operation: binds what its `binds` list, in order. */
enum api_next api_sql_begin(struct api_request *request);

#endif
