/* The demands of a value that counts on its running number, when it is changed: that it stands still, and comes
 * back. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PATTERNS_CACHE_NUMBER_H
#define MCP_PATTERNS_CACHE_NUMBER_H

#include "../cache.h"

/* Freezes the number before a value that counts is changed or taken, and looks at the value again: after MCP_OK
 * there is one that a strict cache would serve, perhaps another one, and no increment counts on the number that
 * the entry shows, until the envelope is changed. MCP_EXISTS: look again. Two round trips, however many count
 * meanwhile; three where no running number was made. Nothing is sent where the entry shows that it stands still
 * already; what the entry says of the number may be left unasked. A process that freezes and dies leaves a number
 * that is shown all the same; increments go on from it after some pauses. */
mcp_status mcp_cache_freeze(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry);

/* Puts the shown number into the entry's envelope, and ends the counter; nothing is sent. */
void mcp_cache_fold(mcp_cache_entry *entry);

#endif
