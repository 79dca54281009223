/* The words of a text are written and read one by one, and their check goes last and is looked at first. */
/* SPDX-License-Identifier: MIT */
#include "board.h"

#include "../little_endian.h"

/* Odd, so that a change of one word is never without effect: the golden ratio in 64 bits. */
#define MIX 0x9e3779b97f4a7c15u

static uint64_t load(const mcp_atomic_u64 *word) {
	return atomic_load_explicit(word, memory_order_relaxed);
}

static void store(mcp_atomic_u64 *word, uint64_t value) {
	atomic_store_explicit(word, value, memory_order_relaxed);
}

static uint64_t mix(uint64_t hash, uint64_t word) {
	return (hash + word) * MIX;
}

mcp_board_record *mcp_board_find(mcp_board *board, uint64_t name) {
	for (size_t i = 0; i < MCP_BOARD_RECORDS; i++) {
		mcp_board_record *record = &board->records[i];
		uint64_t found = load(&record->name);
		if (found == 0 && atomic_compare_exchange_strong(&record->name, &found, name)) {
			return record;
		}
		if (found == name) {
			return record;
		}
	}
	return NULL;
}

bool mcp_board_claim(mcp_board_record *record, uint64_t now_ms, uint64_t for_ms, uint64_t *claim) {
	uint64_t next_ms = load(&record->next_ms);
	*claim = (now_ms + for_ms) | 1;
	return mcp_board_is_due(record, now_ms) &&
		atomic_compare_exchange_strong(&record->next_ms, &next_ms, *claim);
}

bool mcp_board_release(mcp_board_record *record, uint64_t claim, uint64_t next_ms) {
	return atomic_compare_exchange_strong(&record->next_ms, &claim, next_ms & ~(uint64_t)1);
}

/* Writes so many bytes, the last word filled up with zeroes, and returns the check that continues `hash`. */
static uint64_t put(mcp_atomic_u64 *to, mcp_bytes text, uint64_t hash) {
	for (size_t at = 0; at < text.length; at += 8) {
		unsigned char bytes[8] = {0};
		size_t left = text.length - at;
		memcpy(bytes, text.data + at, left < 8 ? left : 8);
		uint64_t word = mcp_load_u64(bytes);
		store(to++, word);
		hash = mix(hash, word);
	}
	return hash;
}

static uint64_t take(const mcp_atomic_u64 *from, char *text, size_t length, uint64_t hash) {
	for (size_t at = 0; at < length; at += 8) {
		unsigned char bytes[8];
		size_t left = length - at;
		uint64_t word = load(from++);
		mcp_store_u64(bytes, word);
		memcpy(text + at, bytes, left < 8 ? left : 8);
		hash = mix(hash, word);
	}
	return hash;
}

/* Begins the check; what it ends as is never 0. */
static uint64_t begin(uint64_t version, uint64_t servers_and_length) {
	return mix(mix(MIX, version), servers_and_length);
}

static uint64_t finish(uint64_t hash) {
	return hash != 0 ? hash : 1;
}

/* Takes the old list away first: a reader meanwhile finds none. */
void mcp_board_write(mcp_board_record *record, const mcp_cluster *cluster) {
	uint64_t both = (uint64_t)cluster->servers << 32 | cluster->length;
	uint64_t hash = begin(cluster->version, both);
	store(&record->check, 0);
	mcp_atomics_fence();
	store(&record->version, cluster->version);
	store(&record->servers_and_length, both);
	hash = put(record->text, mcp_bytes_of(cluster->text, cluster->length), hash);
	atomic_store_explicit(&record->check, finish(hash), memory_order_release);
}

bool mcp_board_read(const mcp_board_record *record, mcp_cluster *cluster, uint64_t *edition) {
	uint64_t both;
	*edition = mcp_board_edition(record);
	cluster->version = load(&record->version);
	both = load(&record->servers_and_length);
	cluster->servers = (size_t)(both >> 32);
	cluster->length = (uint32_t)both;
	if (*edition == 0 || cluster->length > sizeof(cluster->text)) {
		return false;
	}
	uint64_t hash =
		take(record->text, cluster->text, cluster->length, begin(cluster->version, both));
	return finish(hash) == *edition;
}
