/* The crc is that of zlib and Ethernet, which pecl-memcache and libmemcached's MEMCACHED_HASH_CRC take a part of. The other hash
 * is Bob Jenkins' one-at-a-time, libmemcached's MEMCACHED_HASH_DEFAULT (https://burtleburtle.net/bob/hash/doobs.html). */
/* SPDX-License-Identifier: MIT */
#include "router_modulo.h"

#include <stdlib.h>

#define POLYNOMIAL 0xedb88320u /* CRC-32's, its bits reversed */
#define BYTES 256

typedef struct modulo {
	mcp_router router;
	size_t count;
	uint32_t of_byte[BYTES]; /* of the crc */
} modulo;

static size_t pick_by_crc(const mcp_router *router, mcp_bytes route) {
	const modulo *self = (const modulo *)router;
	uint32_t crc = UINT32_MAX;
	for (size_t i = 0; i < route.length; i++) {
		crc = self->of_byte[(crc ^ (unsigned char)route.data[i]) & 0xff] ^ crc >> 8;
	}
	return (~crc >> 16 & 0x7fff) % self->count;
}

/* Takes a byte as a char of this platform, with or without a sign, because libmemcached does. */
static size_t pick_by_one_at_a_time(const mcp_router *router, mcp_bytes route) {
	uint32_t hash = 0;
	for (size_t i = 0; i < route.length; i++) {
		hash += (uint32_t)route.data[i];
		hash += hash << 10;
		hash ^= hash >> 6;
	}
	hash += hash << 3;
	hash ^= hash >> 11;
	hash += hash << 15;
	return hash % ((const modulo *)router)->count;
}

static void free_router(mcp_router *router) {
	free(router);
}

static const mcp_router_operations by_crc = {.pick = pick_by_crc, .free = free_router};
static const mcp_router_operations by_one_at_a_time = {
	.pick = pick_by_one_at_a_time,
	.free = free_router,
};

static uint32_t crc_of_byte(uint32_t byte) {
	uint32_t crc = byte;
	for (int bit = 0; bit < 8; bit++) {
		crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
	}
	return crc;
}

mcp_router *mcp_router_modulo_create(mcp_distribution distribution, size_t count) {
	modulo *self = count == 0 ? NULL : calloc(1, sizeof(*self));
	if (self == NULL) {
		return NULL;
	}
	self->router.operations = distribution == MCP_DISTRIBUTION_MODULO ? &by_crc : &by_one_at_a_time;
	self->count = count;
	for (uint32_t byte = 0; byte < BYTES; byte++) {
		self->of_byte[byte] = crc_of_byte(byte);
	}
	return &self->router;
}
