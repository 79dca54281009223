/* A turn writes the list that is not published. One exchange of the turn's own word publishes it, which fails once the turn
 * has ended. No late word lands either: each is exchanged for a word that was found in the writer's turn, and no two turns
 * write the same words, as each masks them by its own number. */
/* SPDX-License-Identifier: MIT */
#include "registry.h"

#include "../little_endian.h"

/* Odd, so that a change of one word is never without effect: the golden ratio in 64 bits. */
#define MIX 0x9e3779b97f4a7c15u

/* The turn: whether a process has it, the published list, its number, and milliseconds of the host's monotonic clock, which
 * have room for 2,000 years. */
#define TAKEN 1u
#define LIST_BIT 1
#define NUMBER_BIT 2
#define MS_BIT 18
#define NUMBER_MASK (((uint64_t)1 << MS_BIT) - ((uint64_t)1 << NUMBER_BIT))

/* The repeated list: how often, the number of the turn that counted, by which a late count fails, and the rest of its check. */
#define COUNT_MASK 0xffu
#define COUNTED_BY_BIT (8 - NUMBER_BIT)
#define REPEATED_BIT 24

/* The words of a list. The edition is the turn that wrote it, and masks the others. */
enum { EDITION, CHECK, ERA, AFTER, VERSION, SERVERS_AND_LENGTH, TEXT = MCP_BOARD_HEAD };

static uint64_t load(const mcp_atomic_u64 *word) {
	return atomic_load_explicit(word, memory_order_acquire);
}

/* --- the turn --- */

static uint64_t ms_of(uint64_t turn) {
	return turn >> MS_BIT;
}

static unsigned list_of(uint64_t turn) {
	return (turn >> LIST_BIT) & 1;
}

static bool is_over(uint64_t turn, uint64_t now_ms) {
	return ms_of(turn) <= now_ms || ms_of(turn) > now_ms + 2 * MCP_BOARD_MINUTE_MS;
}

bool mcp_discovery_registry_is_due(const mcp_discovery_registry_record *record, uint64_t now_ms) {
	return is_over(load(&record->turn), now_ms);
}

bool mcp_discovery_registry_is_claimed(const mcp_discovery_registry_record *record,
	uint64_t now_ms) {
	uint64_t turn = load(&record->turn);
	return (turn & TAKEN) != 0 && !is_over(turn, now_ms);
}

uint64_t mcp_discovery_registry_turn(const mcp_discovery_registry_record *record) {
	return load(&record->turn);
}

bool mcp_discovery_registry_claim(mcp_discovery_registry_record *record, uint64_t now_ms,
	uint64_t for_ms, uint64_t *claim) {
	uint64_t turn = *claim;
	uint64_t number = (turn + ((uint64_t)1 << NUMBER_BIT)) & NUMBER_MASK;
	*claim = (now_ms + for_ms) << MS_BIT | number | (uint64_t)list_of(turn) << LIST_BIT | TAKEN;
	return is_over(turn, now_ms) && atomic_compare_exchange_strong(&record->turn, &turn, *claim);
}

bool mcp_discovery_registry_release(mcp_discovery_registry_record *record, uint64_t claim,
	uint64_t next_ms) {
	uint64_t rest = claim & (((uint64_t)1 << MS_BIT) - 1 - TAKEN);
	return atomic_compare_exchange_strong(&record->turn, &claim, next_ms << MS_BIT | rest);
}

/* Exchanges a word in the caller's turn, which is read after the word: the turn had not ended when the word was found.
 * False if it has. */
static bool put(mcp_discovery_registry_record *record, uint64_t claim, mcp_atomic_u64 *at,
	uint64_t word) {
	uint64_t found = load(at);
	do {
		if (load(&record->turn) != claim) {
			return false;
		}
	} while (!atomic_compare_exchange_strong(at, &found, word));
	return true;
}

/* --- records --- */

/* Names the word `wanted` if it is free. False if it has another name. */
static bool is_named(mcp_atomic_u64 *word, uint64_t wanted) {
	uint64_t found = load(word);
	return found == wanted ||
		(found == 0 && (atomic_compare_exchange_strong(word, &found, wanted) || found == wanted));
}

mcp_discovery_registry_record *mcp_discovery_registry_find(mcp_discovery_registry *board,
	const uint64_t name[2]) {
	for (size_t i = 0; i < MCP_BOARD_RECORDS; i++) {
		mcp_discovery_registry_record *record = &board->records[i];
		if (is_named(&record->name[0], name[0]) && is_named(&record->name[1], name[1])) {
			return record;
		}
	}
	return NULL;
}

/* --- lists --- */

int mcp_discovery_registry_compare(const mcp_discovery_registry_list *list,
	const mcp_discovery_registry_list *other) {
	uint64_t place = list->era, its_place = other->era;
	if (place == its_place) {
		place = list->cluster.version;
		its_place = other->cluster.version;
	}
	return (place > its_place) - (place < its_place);
}

static size_t words_of(const mcp_discovery_registry_list *list) {
	return TEXT + (list->cluster.length + 7) / 8;
}

/* Returns how much of the text a word has that begins there. */
static size_t length_of(const mcp_discovery_registry_list *list, size_t begin) {
	size_t left = list->cluster.length - begin;
	return left < 8 ? left : 8;
}

/* Returns a word behind the check. Zeroes fill up the last word of the text. */
static uint64_t word_at(const mcp_discovery_registry_list *list, size_t at) {
	unsigned char bytes[8] = {0};
	size_t begin = (at - TEXT) * 8;
	switch (at) {
		case ERA:
			return list->era;
		case AFTER:
			return list->after;
		case VERSION:
			return list->cluster.version;
		case SERVERS_AND_LENGTH:
			return (uint64_t)list->cluster.servers << 32 | list->cluster.length;
		default:
			memcpy(bytes, list->cluster.text + begin, length_of(list, begin));
			return mcp_load_u64(bytes);
	}
}

static uint64_t check_of(const mcp_discovery_registry_list *list) {
	uint64_t hash = MIX;
	for (size_t at = ERA; at < words_of(list); at++) {
		hash = (hash + word_at(list, at)) * MIX;
	}
	return hash;
}

/* Returns another mask for each turn. */
static uint64_t mask_of(uint64_t edition, size_t at) {
	return (edition + at) * MIX;
}

bool mcp_discovery_registry_write(mcp_discovery_registry_record *record, uint64_t *claim,
	const mcp_discovery_registry_list *list) {
	uint64_t edition = *claim ^ (uint64_t)1 << LIST_BIT, turn = *claim;
	mcp_atomic_u64 *words = record->lists[list_of(edition)].words;
	if (!put(record, *claim, &words[EDITION], edition) ||
		!put(record, *claim, &words[CHECK], check_of(list) ^ mask_of(edition, CHECK))) {
		return false;
	}
	for (size_t at = ERA; at < words_of(list); at++) {
		if (!put(record, *claim, &words[at], word_at(list, at) ^ mask_of(edition, at))) {
			return false;
		}
	}
	*claim = edition;
	return atomic_compare_exchange_strong(&record->turn, &turn, edition);
}

unsigned mcp_discovery_registry_count(mcp_discovery_registry_record *record, uint64_t claim,
	const mcp_discovery_registry_list *lower) {
	uint64_t found = load(&record->repeated);
	uint64_t check = lower != NULL ? check_of(lower) >> REPEATED_BIT : 0, count = 0;
	if (lower != NULL) {
		count = found >> REPEATED_BIT == check ? (found & COUNT_MASK) + 1 : 1;
	}
	uint64_t counted = check << REPEATED_BIT | (claim & NUMBER_MASK) << COUNTED_BY_BIT | count;
	return put(record, claim, &record->repeated, counted) ? (unsigned)count : 0;
}

/* Reads once more which list is published: one that is not may be in the middle of its writing. */
uint64_t mcp_discovery_registry_edition(const mcp_discovery_registry_record *record) {
	unsigned list, published = list_of(load(&record->turn));
	uint64_t edition;
	do {
		list = published;
		edition = load(&record->lists[list].words[EDITION]);
		published = list_of(load(&record->turn));
	} while (published != list);
	return edition;
}

static uint64_t unmask(const mcp_atomic_u64 *words, uint64_t edition, size_t at) {
	return load(&words[at]) ^ mask_of(edition, at);
}

static bool read_words(const mcp_atomic_u64 *words, uint64_t edition,
	mcp_discovery_registry_list *list) {
	uint64_t both = unmask(words, edition, SERVERS_AND_LENGTH);
	list->era = unmask(words, edition, ERA);
	list->after = unmask(words, edition, AFTER);
	list->cluster.version = unmask(words, edition, VERSION);
	list->cluster.servers = (size_t)(both >> 32);
	list->cluster.length = (uint32_t)both;
	if (list->cluster.length > sizeof(list->cluster.text)) {
		return false;
	}
	for (size_t at = TEXT; at < words_of(list); at++) {
		unsigned char bytes[8];
		size_t begin = (at - TEXT) * 8;
		mcp_store_u64(bytes, unmask(words, edition, at));
		memcpy(list->cluster.text + begin, bytes, length_of(list, begin));
	}
	return unmask(words, edition, CHECK) == check_of(list);
}

/* Reads again if another list was published meanwhile: this one may have been overwritten. */
bool mcp_discovery_registry_read(const mcp_discovery_registry_record *record,
	mcp_discovery_registry_list *list, uint64_t *edition) {
	uint64_t published = mcp_discovery_registry_edition(record);
	bool is_read;
	do {
		*edition = published;
		is_read =
			published != 0 && read_words(record->lists[list_of(published)].words, published, list);
		published = mcp_discovery_registry_edition(record);
	} while (published != *edition);
	return is_read;
}
