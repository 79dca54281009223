/* The served value that an Audit of this process rebuilds after the response, at most 1 per request. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_AUDITS_H
#define MCP_PHP_AUDITS_H

#include "../../../patterns/cache/look/cache_look.h"
#include "../../engine/user_call.h"
#include "../../host/process.h"
#include "../entry/class_entry.h"
#include "../object/cache_object.h"

/* The object behind McPatterns\Audit: the part that a Cache borrows. */
typedef struct mcp_audit {
	mcp_cache_object *object; /* a reference, to no view; NULL until constructed */
	uint64_t threshold;       /* of 2^53: the share of fresh hits that are sampled */
	mcp_user_call compare;    /* with references. None: compare the bytes */
	zend_object std;
} mcp_audit;

/* A served value. All pointers are references. */
typedef struct mcp_audit_due {
	mcp_audit *audit;
	mcp_cache_object *object; /* can be a view */
	zend_string *name;
	mcp_user_call compute;
	zend_string *payload; /* as it was served */
	uint32_t flags;
	mcp_entry_story story;
	mcp_served served;
	uint64_t served_ms;
	pid_t pid; /* a forked child checks no values of its parent */
} mcp_audit_due;

static zend_always_inline bool php_mcp_audits_are_on(const mcp_cache_object *object) {
	return *object->audit != NULL;
}

/* Samples a fresh hit. Returns true if the caller must keep the value. */
bool php_mcp_audits_draw(const mcp_cache_object *object);

/* Keeps a value and releases the previous one. Takes over the Audit and the payload and adds references to the rest.
 * Can run user code as its last step. */
void php_mcp_audits_keep(const mcp_audit_due *due);

/* Removes and returns the due value of this process, or NULL. The caller must release it. */
mcp_audit_due *php_mcp_audits_take(void);
void php_mcp_audits_release(mcp_audit_due *due);

/* Drops an unchecked value at the end of the request. Can run user code. */
void php_mcp_audits_reset(void);

#endif
