/* One call to a server that may have been away: coming to it, and going. When it did not answer it is away until
 * it answers again, and its late writes with it; then it is marked, told what it missed, and only then asked for
 * anything else. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_VISIT_H
#define MCP_STORE_VISIT_H

#include "known_servers.h"

typedef struct mcp_visit {
	mcp_store *inner; /* borrowed; speaks to the server */
	mcp_known_servers *known;
	size_t index;
	/* Not back to the server while a write of this process may still land there: what it stores would be taken for
	 * newer than what was changed elsewhere since. */
	bool waits;
} mcp_visit;

static inline mcp_known_server *mcp_visit_server(const mcp_visit *visit) {
	return &visit->known->servers[visit->index];
}

/* Whether the server may be asked now. No round trip when it has never been away, nor while it is left alone or a late
 * write is waited for; 2 and one for each key of the journal when it has come back, and one more where a late write was
 * out. Ends no view. */
bool mcp_visit_begin(mcp_visit *visit);
/* What the server answered, or that it did not; passes the status on. */
mcp_status mcp_visit_end(mcp_visit *visit, mcp_status status);
void mcp_visit_notice_breaks(mcp_visit *visit);
/* From now on the server is away where late writes are waited for, if there is one. */
void mcp_visit_notice_late_writes(mcp_visit *visit);

/* Whether what is read now can be judged: it was never away, or its mark is of this connection. */
bool mcp_visit_is_marked(const mcp_visit *visit);

/* Whether it may be asked for keys of another server, which is away: marks it for them, once for each outage of
 * any. After mcp_visit_begin. */
bool mcp_visit_stand_in(mcp_visit *visit, size_t home);
/* NULL: there is none, or none of this connection. */
const mcp_mark *mcp_visit_mark_for(mcp_visit *visit, size_t home);

#endif
