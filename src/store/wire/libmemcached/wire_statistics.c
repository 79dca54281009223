/* libmemcached does not look at what is returned to it line by line: only a closed connection ends it. */
/* SPDX-License-Identifier: MIT */
#include "wire_statistics.h"

typedef struct hearing {
	memcached_st *handle;
	mcp_wire_line line;
	void *context;
	bool is_satisfied; /* and what still comes is of no interest */
} hearing;

static memcached_return_t hear(const memcached_instance_st *instance, const char *name,
	size_t name_length, const char *value, size_t value_length, void *context) {
	(void)instance;
	hearing *to = context;
	if (!to->is_satisfied &&
		!to->line(to->context, mcp_bytes_of(name, name_length),
			mcp_bytes_of(value, value_length))) {
		to->is_satisfied = true;
		memcached_quit(to->handle);
	}
	return MEMCACHED_SUCCESS;
}

/* Reads them, and makes up for a libmemcached that reports success when the server failed in the middle, and
 * calls the answer "ERROR" invalid arguments. */
memcached_return_t mcp_wire_statistics_read(memcached_st *handle, const char *kind,
	mcp_wire_line line, void *context) {
	hearing to = {handle, line, context, false};
	memcached_return_t code = memcached_stat_execute(handle, kind, hear, &to);
	if (to.is_satisfied) {
		return MEMCACHED_UNKNOWN_READ_FAILURE;
	}
	return code == MEMCACHED_SUCCESS ? memcached_last_error(handle) : code;
}
