/* Key distributions: the built-in ketama ring, and modulo. */
/* SPDX-License-Identifier: MIT */
#include "router.h"

#include "../../core/md5.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* libketama's scheme: each server has points on a ring of 2^32. Each point is a hash of the server's name and a number.
 * A key belongs to the server of the first point at or after the key's hash. */

/* Numbers of points and names of servers as in libmemcached, because other clients must find the same server. */
enum { POINTS_PER_SERVER = 160, POINTS_PER_HASH = 4, DEFAULT_PORT = 11211 };

static_assert((int)POINTS_PER_HASH == (int)MCP_MD5_WORDS, "each word of a digest is a point");

#define NAME_MAX_LENGTH 2048
#define HASH_BITS 32
/* Average distance between 2 entries of `starts`. */
#define POINTS_PER_START 4

typedef struct point {
	uint32_t value;
	uint32_t server;
} point;

/* Invariant: `points` are sorted and end with a copy of the first point's server at the ring's end, so that a search
 * ends without counting. For each value of a hash's upper bits, `starts` has the index of the first point at or after
 * this value. */
typedef struct ring {
	mcp_router router;
	unsigned start_shift; /* shift of a hash that makes an index of `starts` */
	uint32_t *starts;
	size_t count;
	point points[];
} ring;

static size_t pick(const mcp_router *router, mcp_bytes route) {
	const ring *self = (const ring *)router;
	uint32_t words[MCP_MD5_WORDS];
	mcp_md5(route, words);
	const point *at = &self->points[self->starts[words[0] >> self->start_shift]];
	while (at->value < words[0]) {
		at++;
	}
	return at->server;
}

static void free_router(mcp_router *router) {
	free(((ring *)router)->starts);
	free(router);
}

static const mcp_router_operations operations = {
	.pick = pick,
	.free = free_router,
};

/* Single precision, as in libmemcached, which gives each server 4 points fewer for some numbers of servers. */
static size_t hashes_of(const mcp_router_server *server, float all_weights, size_t count) {
	float share = (float)server->weight / all_weights;
	float hashes = share * POINTS_PER_SERVER / POINTS_PER_HASH * (float)count;
	return (size_t)floorf((float)((double)hashes + 0.0000000001));
}

/* A Unix socket has port 0, which is part of the name. */
static size_t write_point_name(const mcp_router_server *server, size_t number,
	char name[NAME_MAX_LENGTH]) {
	int length = server->port == DEFAULT_PORT
		? snprintf(name, NAME_MAX_LENGTH, "%s-%zu", server->host, number)
		: snprintf(name, NAME_MAX_LENGTH, "%s:%u-%zu", server->host, (unsigned)server->port,
			  number);
	return length < NAME_MAX_LENGTH ? (size_t)length : NAME_MAX_LENGTH - 1;
}

static void add_points(ring *self, const mcp_router_server *server, uint32_t index, size_t hashes) {
	char name[NAME_MAX_LENGTH];
	for (size_t number = 0; number < hashes; number++) {
		uint32_t words[MCP_MD5_WORDS];
		mcp_md5(mcp_bytes_of(name, write_point_name(server, number, name)), words);
		for (unsigned i = 0; i < POINTS_PER_HASH; i++) {
			self->points[self->count++] = (point){words[i], index};
		}
	}
}

/* If two points have the same value, the point of the server that is listed first comes first. */
static int compare(const void *left, const void *right) {
	const point *a = left, *b = right;
	if (a->value != b->value) {
		return a->value < b->value ? -1 : 1;
	}
	return a->server < b->server ? -1 : a->server > b->server;
}

static float sum_weights(const mcp_router_server *servers, size_t count) {
	uint64_t sum = 0;
	for (size_t i = 0; i < count; i++) {
		sum += servers[i].weight;
	}
	return (float)sum;
}

static void close_ring(ring *self) {
	qsort(self->points, self->count, sizeof(point), compare);
	self->points[self->count] = (point){UINT32_MAX, self->points[0].server};
}

/* False: memory exhausted. */
static bool index_points(ring *self) {
	unsigned bits = mcp_width_of(self->count / POINTS_PER_START);
	size_t starts = (size_t)1 << bits;
	self->start_shift = HASH_BITS - bits;
	self->starts = malloc(starts * sizeof(*self->starts));
	if (self->starts == NULL) {
		return false;
	}
	uint32_t at = 0;
	for (size_t i = 0; i < starts; i++) {
		while (at < self->count && self->points[at].value < i << self->start_shift) {
			at++;
		}
		self->starts[i] = at;
	}
	return true;
}

static size_t count_points(const mcp_router_server *servers, size_t count, float all_weights) {
	size_t points = 0;
	for (size_t i = 0; i < count; i++) {
		points += POINTS_PER_HASH * hashes_of(&servers[i], all_weights, count);
	}
	return points;
}

mcp_router *mcp_router_ketama_create(const mcp_router_server *servers, size_t count) {
	float all_weights = sum_weights(servers, count);
	size_t points = count_points(servers, count, all_weights);
	if (points == 0) {
		return NULL;
	}
	ring *self = calloc(1, sizeof(*self) + (points + 1) * sizeof(point));
	if (self == NULL) {
		return NULL;
	}
	self->router.operations = &operations;
	for (size_t i = 0; i < count; i++) {
		add_points(self, &servers[i], (uint32_t)i, hashes_of(&servers[i], all_weights, count));
	}
	close_ring(self);
	if (!index_points(self)) {
		free_router(&self->router);
		return NULL;
	}
	return &self->router;
}

/* CRC-32 of zlib and Ethernet, of which pecl-memcache and libmemcached's MEMCACHED_HASH_CRC use a part. Bob Jenkins'
 * one-at-a-time is MEMCACHED_HASH_DEFAULT (https://burtleburtle.net/bob/hash/doobs.html). */

#define POLYNOMIAL 0xedb88320u /* polynomial of CRC-32, bits reversed */
#define BYTES 256

typedef struct modulo {
	mcp_router router;
	size_t count;
	uint32_t of_byte[BYTES]; /* CRC table */
} modulo;

static size_t pick_by_crc(const mcp_router *router, mcp_bytes route) {
	const modulo *self = (const modulo *)router;
	uint32_t crc = UINT32_MAX;
	for (size_t i = 0; i < route.length; i++) {
		crc = self->of_byte[(crc ^ (unsigned char)route.data[i]) & 0xff] ^ crc >> 8;
	}
	return (~crc >> 16 & 0x7fff) % self->count;
}

/* Use the byte as this platform's char, signed or not, as libmemcached does. */
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

static void free_modulo(mcp_router *router) {
	free(router);
}

static const mcp_router_operations by_crc = {.pick = pick_by_crc, .free = free_modulo};
static const mcp_router_operations by_one_at_a_time = {
	.pick = pick_by_one_at_a_time,
	.free = free_modulo,
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
