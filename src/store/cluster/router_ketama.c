/* Each server has points on a ring of 2^32, by hashes of its name and a number; a key lives on the server whose point is
 * the first at or behind the key's own hash (libketama's scheme; the points' number and names are libmemcached's). */
/* SPDX-License-Identifier: MIT */
#include "router_ketama.h"

#include <libhashkit-1.0/hashkit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* libmemcached's, and so the names below: other clients look where it does. */
enum { POINTS_PER_SERVER = 160, POINTS_PER_HASH = 4, DEFAULT_PORT = 11211 };

#define NAME_MAX_LENGTH 2048

/* The bytes of an MD5, by which libmemcached places servers and keys. */
#define DIGEST_LENGTH 16

typedef struct point {
	uint32_t value;
	uint32_t server;
} point;

typedef struct ring {
	mcp_router router;
	size_t count;
	point points[]; /* sorted */
} ring;

/* Keeps nothing between calls: threads may hash at the same time. */
static void digest_of(mcp_bytes message, unsigned char digest[DIGEST_LENGTH]) {
	libhashkit_md5_signature((const unsigned char *)message.data, message.length, digest);
}

static uint32_t word_of(const unsigned char digest[DIGEST_LENGTH], unsigned index) {
	const unsigned char *from = digest + 4 * index;
	return (uint32_t)from[3] << 24 | (uint32_t)from[2] << 16 | (uint32_t)from[1] << 8 | from[0];
}

static size_t pick(mcp_router *router, mcp_bytes route) {
	const ring *self = (const ring *)router;
	unsigned char digest[DIGEST_LENGTH];
	digest_of(route, digest);
	uint32_t hash = word_of(digest, 0);
	size_t low = 0, high = self->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (self->points[middle].value < hash) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return self->points[low < self->count ? low : 0].server;
}

static void free_router(mcp_router *router) {
	free(router);
}

static const mcp_router_operations operations = {
	.pick = pick,
	.free = free_router,
};

/* Reckons in single precision, as libmemcached does: with some numbers of servers each has four points less. */
static size_t hashes_of(const mcp_router_server *server, float all_weights, size_t count) {
	float share = (float)server->weight / all_weights;
	float hashes = share * POINTS_PER_SERVER / POINTS_PER_HASH * (float)count;
	return (size_t)floorf((float)((double)hashes + 0.0000000001));
}

/* Writes the name; a unix socket's port is 0, and named as any other. */
static size_t name_of(const mcp_router_server *server, size_t number, char name[NAME_MAX_LENGTH]) {
	int length = server->port == DEFAULT_PORT
		? snprintf(name, NAME_MAX_LENGTH, "%s-%zu", server->host, number)
		: snprintf(name, NAME_MAX_LENGTH, "%s:%u-%zu", server->host, (unsigned)server->port,
			  number);
	return length < NAME_MAX_LENGTH ? (size_t)length : NAME_MAX_LENGTH - 1;
}

static void add_points(ring *self, const mcp_router_server *server, uint32_t index, size_t hashes) {
	char name[NAME_MAX_LENGTH];
	for (size_t number = 0; number < hashes; number++) {
		unsigned char digest[DIGEST_LENGTH];
		digest_of(mcp_bytes_of(name, name_of(server, number, name)), digest);
		for (unsigned i = 0; i < POINTS_PER_HASH; i++) {
			self->points[self->count++] = (point){word_of(digest, i), index};
		}
	}
}

/* Compares; of two with the same value the first in the list is first. */
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

mcp_router *mcp_router_ketama_create(const mcp_router_server *servers, size_t count) {
	float all_weights = sum_weights(servers, count);
	size_t points = 0;
	for (size_t i = 0; i < count; i++) {
		points += POINTS_PER_HASH * hashes_of(&servers[i], all_weights, count);
	}
	if (points == 0) {
		return NULL;
	}
	ring *self = malloc(sizeof(*self) + points * sizeof(point));
	if (self == NULL) {
		return NULL;
	}
	self->router.operations = &operations;
	self->count = 0;
	for (size_t i = 0; i < count; i++) {
		add_points(self, &servers[i], (uint32_t)i, hashes_of(&servers[i], all_weights, count));
	}
	qsort(self->points, self->count, sizeof(point), compare);
	return &self->router;
}
