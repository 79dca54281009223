/* MD5 (RFC 1321), by which the ketama ring places servers and keys. Not for anything that an attacker must not forge. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_MD5_H
#define MCP_CORE_MD5_H

#include "bytes.h"

#include <stdint.h>

#define MCP_MD5_LENGTH 16

void mcp_md5(mcp_bytes message, unsigned char digest[MCP_MD5_LENGTH]);

#endif
