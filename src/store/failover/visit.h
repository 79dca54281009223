/* One call to a server that may have been away: coming to it, and going. When it did not answer it is away until
 * it answers again, and its late writes with it; then it is marked, told what it missed, and only then asked for
 * anything else. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_VISIT_H
#define MCP_STORE_VISIT_H

#include "server_health.h"

/* By one of the stores that speak to the server; others may, over connections of their own, with the same knowledge. */
typedef struct mcp_visit {
	mcp_store *inner; /* borrowed; speaks to the server */
	mcp_server_health *known;
	size_t index;
	uint64_t number; /* its own among all that have this knowledge */
	uint64_t life;   /* one more with every outage and every connection: older cas ids are void */
	uint64_t breaks; /* of its connection, when it was last looked at */
	uint64_t
		started_us;  /* the server's start, see store.h; 0: not asked in this life, or not told */
	bool has_failed; /* its last call was not answered */
	/* Not back to the server while a write of this process may still land there: what it stores would be taken for
	 * newer than what was changed elsewhere since. */
	bool waits;
} mcp_visit;

static inline mcp_server_health_entry *mcp_visit_server(const mcp_visit *visit) {
	return &visit->known->servers[visit->index];
}

/* Aims at this store from now on; it may be another server's process that is reached there. */
void mcp_visit_aim(mcp_visit *visit, mcp_store *inner);

/* Says whether the server may be asked now. Takes no round trip if it has never been away, nor while it is left alone
 * or a late write is waited for; 3 and one for each key of the journal when it has come back, and one more where a
 * late write was out; 1 to see that it is still the one that was marked. Ends no view. */
bool mcp_visit_begin(mcp_visit *visit);
/* Notes what the server answered, or that it did not; passes the status on. */
mcp_status mcp_visit_end(mcp_visit *visit, mcp_status status);
void mcp_visit_notice_breaks(mcp_visit *visit);

/* Says whether what is read now can be judged: it was never away, or its mark is of this connection, or of the start
 * that the server has told over it. */
bool mcp_visit_is_marked(const mcp_visit *visit);

/* Says whether it may be asked for keys of another server, which is away: marks it for them, once for each
 * outage of any. After mcp_visit_begin. */
bool mcp_visit_stand_in(mcp_visit *visit, size_t home);
/* NULL if there is none that counts here. */
const mcp_mark *mcp_visit_mark_for(mcp_visit *visit, size_t home);

#endif
