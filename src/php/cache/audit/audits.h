/* The value that an Audit of this process is to compute anew, as it was served: one at most for each request, kept until the
 * response is over. It knows neither remember() nor what becomes of it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_AUDITS_H
#define MCP_PHP_AUDITS_H

#include "../../../patterns/cache/look/cache_look.h"
#include "../../engine/user_call.h"
#include "../../host/process.h"
#include "../entry/class_entry.h"
#include "../object/cache_object.h"

/* The object behind McPatterns\Audit, in what a Cache borrows of it. */
typedef struct mcp_audit {
	mcp_cache_object *object; /* a reference, to no view; NULL until constructed */
	uint64_t threshold;       /* of 2^53: so many fresh hits of that many are drawn */
	mcp_user_call compare;    /* with references; none: by their bytes */
	zend_object std;
} mcp_audit;

/* A value that was served. All are references. */
typedef struct mcp_audit_due {
	mcp_audit *audit;
	mcp_cache_object *object; /* a view, perhaps */
	zend_string *name;
	mcp_user_call compute;
	zend_string *payload; /* as it was served */
	uint32_t flags;
	mcp_entry_story story;
	mcp_served served;
	uint64_t served_ms;
	pid_t pid; /* a forked child checks nothing of its parent's */
} mcp_audit_due;

/* Says at each hit whether there is an Audit at all. */
static zend_always_inline bool php_mcp_audits_are_on(const mcp_cache_object *object) {
	return *object->audit != NULL;
}

/* Draws for a fresh hit. True if it is the one to be kept. */
bool php_mcp_audits_draw(const mcp_cache_object *object);

/* Keeps it in the place of what was kept before. Takes the Audit and the payload over, and references to the rest; may run user
 * code, last. */
void php_mcp_audits_keep(const mcp_audit_due *due);

/* Takes what is due to this process, to be released; NULL: nothing. The next request's begins. */
mcp_audit_due *php_mcp_audits_take(void);
void php_mcp_audits_release(mcp_audit_due *due);

/* Forgets at request end what was never checked. May run user code. */
void php_mcp_audits_reset(void);

#endif
