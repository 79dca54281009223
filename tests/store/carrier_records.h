/* A carrier of the direct wire's bytes that is no plain socket, as TLS is none: bytes leave and arrive in records, and what
 * of one is not wanted yet lies above the socket, which says nothing of it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_STORE_CARRIER_RECORDS_H
#define MCP_TESTS_STORE_CARRIER_RECORDS_H

#include "../../src/store/wire/socket.h"

/* Makes one that is closed. The wire that it is given to frees it. */
mcp_channel carrier_records_create(void);

#endif
