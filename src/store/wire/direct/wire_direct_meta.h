/* Whether the server at the other end of a direct wire can prove what it has stored: it knows the meta commands,
 * gives cas ids, and is a memcached, not a proxy before some. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_META_H
#define MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_META_H

#include "wire_direct_line.h"

/* Learns; it and the next three are the wire's functions. */
mcp_status mcp_direct_learn(mcp_wire *wire);
bool mcp_direct_holds(const mcp_wire *wire, const mcp_proof *proof);
uint64_t mcp_direct_connection(const mcp_wire *wire);
mcp_status mcp_direct_seconds_left(mcp_wire *wire, mcp_bytes key, uint64_t *seconds);

/* The writes of the direct wire, for its table: each as wire.h has it. */

mcp_status mcp_direct_store(mcp_wire *wire, mcp_wire_verb verb, const mcp_wire_item *item);
mcp_status mcp_direct_delete(mcp_wire *wire, mcp_bytes key);
mcp_status mcp_direct_delete_proven(mcp_wire *wire, mcp_bytes key, const mcp_proof *proof);
mcp_status mcp_direct_touch(mcp_wire *wire, mcp_bytes key, int64_t expiry);
mcp_status mcp_direct_increment(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number);
mcp_status mcp_direct_decrement(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number);
mcp_status mcp_direct_flush(mcp_wire *wire);

/* Says what a write's answer means; `done` is the one that says that it was done. */
mcp_status mcp_direct_status_of(mcp_direct *wire, const mcp_answer *answer, mcp_answer_kind done);
/* Hears what stands there behind a write, whose proof that is if it is what was written: another's may have come in
 * between. `was_done`: the write was; `is_last`: nothing may come behind it. */
mcp_status mcp_direct_look_behind(mcp_direct *wire, const mcp_wire_item *item, bool was_done,
	bool is_last);
/* Says of a "server error" whether the item is larger than the server takes. */
bool mcp_direct_is_too_large(const mcp_answer *answer);

#endif
