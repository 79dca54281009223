/* Little-endian numbers of stored items, at any address. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_LITTLE_ENDIAN_H
#define MCP_CORE_LITTLE_ENDIAN_H

#include <stdint.h>

/* Shifts are independent of alignment and byte order; compilers make one load of them. */
static inline uint64_t mcp_load_u64(const unsigned char *from) {
	return (uint64_t)from[0] | (uint64_t)from[1] << 8 | (uint64_t)from[2] << 16 |
		(uint64_t)from[3] << 24 | (uint64_t)from[4] << 32 | (uint64_t)from[5] << 40 |
		(uint64_t)from[6] << 48 | (uint64_t)from[7] << 56;
}

static inline uint32_t mcp_load_u32(const unsigned char *from) {
	return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
		(uint32_t)from[3] << 24;
}

static inline uint16_t mcp_load_u16(const unsigned char *from) {
	return (uint16_t)(from[0] | from[1] << 8);
}

static inline uint64_t mcp_load_u48(const unsigned char *from) {
	return (uint64_t)mcp_load_u32(from) | (uint64_t)mcp_load_u16(from + 4) << 32;
}

/* Stores without a loop, which compilers merge into one store. */
static inline unsigned char *mcp_store_u16(unsigned char *to, uint16_t value) {
	to[0] = (unsigned char)value;
	to[1] = (unsigned char)(value >> 8);
	return to + 2;
}

static inline unsigned char *mcp_store_u32(unsigned char *to, uint32_t value) {
	to[0] = (unsigned char)value;
	to[1] = (unsigned char)(value >> 8);
	to[2] = (unsigned char)(value >> 16);
	to[3] = (unsigned char)(value >> 24);
	return to + 4;
}

static inline unsigned char *mcp_store_u64(unsigned char *to, uint64_t value) {
	mcp_store_u32(to, (uint32_t)value);
	mcp_store_u32(to + 4, (uint32_t)(value >> 32));
	return to + 8;
}

/* The lower 48 bits. */
static inline unsigned char *mcp_store_u48(unsigned char *to, uint64_t value) {
	mcp_store_u32(to, (uint32_t)value);
	mcp_store_u16(to + 4, (uint16_t)(value >> 32));
	return to + 6;
}

#endif
