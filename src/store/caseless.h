/* The C library's comparisons without regard to the case of letters, which no standard's header has. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CASELESS_H
#define MCP_STORE_CASELESS_H

#ifdef _WIN32
#include <string.h>
#define mcp_caseless_compare _stricmp
#define mcp_caseless_compare_head _strnicmp
#else
#include <strings.h>
#define mcp_caseless_compare strcasecmp
#define mcp_caseless_compare_head strncasecmp
#endif

#endif
