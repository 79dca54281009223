/* The ring and the modulo are asked for other names, hashes of the route and a number. Not for the route and a
 * suffix: crc32 is linear, so that of four servers one would get half of the keys of another. */
/* SPDX-License-Identifier: MIT */
#include "key_servers.h"

#include "../../core/decimal.h"
#include "../../core/hex.h"
#include "../../core/vendor/xxh64.h"

#include <stdlib.h>

/* Enough for the first few of any list. */
#define PICKS_MAX 64
#define NUMBERED_MAX_LENGTH (MCP_HEX_U64_LENGTH + 1 + MCP_DECIMAL_MAX_LENGTH)

/* Returns `count` if it is none of them. */
static size_t place_of(mcp_store *const *stores, size_t count, const mcp_store *store) {
	size_t place = 0;
	while (place < count && stores[place] != store) {
		place++;
	}
	return place;
}

bool mcp_key_servers_init(mcp_key_servers *self, mcp_store *const *listed, size_t count,
	mcp_cluster_pick pick, void *router) {
	*self = (mcp_key_servers){.pick = pick, .router = router, .listed = listed};
	self->different = calloc(count, 2 * sizeof(mcp_store *) + sizeof(uint32_t));
	if (self->different == NULL) {
		return false;
	}
	self->found = self->different + count;
	self->numbers = (uint32_t *)(void *)(self->found + count);
	for (size_t i = 0; i < count; i++) {
		size_t place = place_of(self->different, self->count, listed[i]);
		if (place == self->count) {
			self->different[self->count++] = listed[i];
		}
		self->numbers[i] = (uint32_t)place;
	}
	return true;
}

void mcp_key_servers_free(mcp_key_servers *self) {
	free(self->different);
}

static void begin(mcp_key_servers *self, mcp_bytes route, uint64_t hash) {
	mcp_store *home = self->listed[self->pick(self->router, route)];
	bool is_known = self->found_count > 0 && self->found_for == hash && self->found[0] == home;
	if (!is_known) {
		self->found[0] = home;
		self->found_count = 1;
		self->found_for = hash;
		self->picks = 0;
	}
}

static void find(mcp_key_servers *self, mcp_store *store) {
	if (place_of(self->found, self->found_count, store) == self->found_count) {
		self->found[self->found_count++] = store;
	}
}

/* Writes a name that shares nothing with those of other numbers. Keys with one hash have their copies on the same servers, each
 * under its own bytes: a made collision gains nothing. */
static size_t write_name(uint64_t hash, unsigned number, char *name) {
	char numbered[NUMBERED_MAX_LENGTH];
	size_t length = mcp_hex_write_u64(hash, numbered);
	numbered[length++] = '#';
	length += mcp_decimal_format_u64(number, numbered + length);
	return mcp_hex_write_u64(XXH64(numbered, length, 0), name);
}

static void pick_once_more(mcp_key_servers *self) {
	char name[MCP_HEX_U64_LENGTH];
	size_t length = write_name(self->found_for, ++self->picks, name);
	find(self, self->listed[self->pick(self->router, mcp_bytes_of(name, length))]);
}

/* Finds those that no pick has named: they follow the key's own in the list's order. */
static void find_the_rest(mcp_key_servers *self) {
	size_t own = 0;
	while (self->different[own] != self->found[0]) {
		own++;
	}
	for (size_t i = 1; i < self->count; i++) {
		find(self, self->different[(own + i) % self->count]);
	}
}

mcp_store *mcp_key_servers_find(mcp_key_servers *self, mcp_bytes route, size_t index) {
	if (index >= self->count) {
		return NULL;
	}
	if (index == 0) {
		return self->listed[self->pick(self->router, route)];
	}
	begin(self, route, XXH64(route.data, route.length, 0));
	while (self->found_count <= index && self->picks < PICKS_MAX) {
		pick_once_more(self);
	}
	if (self->found_count <= index) {
		find_the_rest(self);
	}
	return self->found[index];
}
