/* Publishes server lists in shared memory. The process that has the turn writes the unpublished list. It publishes this
 * list with one exchange of the turn word, which fails if the turn has expired. Late writes of words also fail. A word
 * is exchanged only if it still has the value that was read in the writer's turn. Each turn masks its words
 * differently. */
/* SPDX-License-Identifier: MIT */
#include "registry.h"

#include "../bytes.h"

/* The turn word: whether the turn is taken, the index of the published list, the number of the turn, and a time. The
 * time is in milliseconds of the host's monotonic clock, for up to 2,000 years. */
#define TAKEN 1u
#define LIST_BIT 1
#define NUMBER_BIT 2
#define MS_BIT 18
#define NUMBER_MASK (((uint64_t)1 << MS_BIT) - ((uint64_t)1 << NUMBER_BIT))

/* The word of the repeated list: the count, the number of the turn that counted (so that a late count fails), and the
 * rest of the checksum. */
#define COUNT_MASK 0xffu
#define COUNTED_BY_BIT (8 - NUMBER_BIT)
#define REPEATED_BIT 24

/* The words of a list. The edition is the turn word of the turn that wrote the list, and masks the other words. */
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

/* Exchange a word in the caller's turn. The turn is read after the word, so the turn had not expired when the word was
 * read. Returns false if the turn has expired. */
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

/* Set the word to `wanted` if the word is 0. Returns false if the word has another value. */
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

/* Length of the part of the text that begins at `begin` and fills at most one word. */
static size_t length_of(const mcp_discovery_registry_list *list, size_t begin) {
	size_t left = list->cluster.length - begin;
	return left < 8 ? left : 8;
}

/* A word after the checksum. The last word of the text is padded with zeros. */
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
	uint64_t hash = MCP_GOLDEN_FACTOR;
	for (size_t at = ERA; at < words_of(list); at++) {
		hash = (hash + word_at(list, at)) * MCP_GOLDEN_FACTOR;
	}
	return hash;
}

/* Mask of a word, distinct for each turn. */
static uint64_t mask_of(uint64_t edition, size_t at) {
	return (edition + at) * MCP_GOLDEN_FACTOR;
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

/* Read the index of the published list again, because an unpublished list can be half written. */
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

/* Read again if another list was published in between, because a process might have overwritten this list. */
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

/* Parses the reply of a discovery endpoint in one pass: a line with the version, and a line with the servers, which are
 * separated by spaces. */

#define HOST_MAX 255
#define PORT_MAX 65535

static bool is_blank(char byte) {
	return byte == ' ' || byte == '\r' || byte == '\n';
}

/* Digits only: "9 " and "-0" are not valid versions or ports. */
static bool read_number(mcp_bytes text, uint64_t most, uint64_t *number) {
	for (size_t i = 0; i < text.length; i++) {
		if (!mcp_is_digit(text.data[i])) {
			return false;
		}
	}
	return mcp_decimal_parse_u64(text, number) && *number <= most;
}

static bool is_host(mcp_bytes text) {
	for (size_t i = 0; i < text.length; i++) {
		char byte = text.data[i];
		bool is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
		if (!mcp_is_digit(byte) && !is_letter && byte != '.' && byte != '-' && byte != '_' &&
			byte != ':') {
			return false;
		}
	}
	return text.length > 0 && text.length <= HOST_MAX;
}

static bool add_to_list(mcp_cluster *cluster, mcp_bytes bytes) {
	if (bytes.length > sizeof(cluster->text) - cluster->length) {
		return false;
	}
	memcpy(cluster->text + cluster->length, bytes.data, bytes.length);
	cluster->length += bytes.length;
	return true;
}

static bool add_text(mcp_cluster *cluster, const char *text) {
	return add_to_list(cluster, mcp_bytes_text(text));
}

static bool add_server(mcp_cluster *cluster, mcp_bytes host, uint64_t port) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_bytes number = mcp_bytes_of(digits, mcp_decimal_format_u64(port, digits));
	bool is_ipv6 = memchr(host.data, ':', host.length) != NULL;
	bool is_first = cluster->servers++ == 0;
	return add_text(cluster, is_first ? "" : ",") && add_text(cluster, is_ipv6 ? "[" : "") &&
		add_to_list(cluster, host) && add_text(cluster, is_ipv6 ? "]:" : ":") &&
		add_to_list(cluster, number);
}

static mcp_cluster_verdict read_server(mcp_bytes server, mcp_cluster *cluster) {
	mcp_bytes name, address;
	uint64_t port;
	if (!mcp_bytes_take_until(&server, '|', &name) ||
		!mcp_bytes_take_until(&server, '|', &address) || !read_number(server, PORT_MAX, &port) ||
		port == 0) {
		return MCP_CLUSTER_WRONG;
	}
	mcp_bytes host = name.length > 0 ? name : address;
	if (!is_host(host)) {
		return MCP_CLUSTER_WRONG;
	}
	return add_server(cluster, host, port) ? MCP_CLUSTER_RIGHT : MCP_CLUSTER_TOO_LONG;
}

/* The servers are words, separated by blanks. */
static mcp_cluster_verdict read_servers(mcp_bytes rest, mcp_cluster *cluster) {
	while (rest.length > 0) {
		size_t length = 0;
		while (length < rest.length && !is_blank(rest.data[length])) {
			length++;
		}
		mcp_bytes word = mcp_bytes_of(rest.data, length);
		mcp_cluster_verdict verdict = length > 0 ? read_server(word, cluster) : MCP_CLUSTER_RIGHT;
		if (verdict != MCP_CLUSTER_RIGHT) {
			return verdict;
		}
		length += length < rest.length;
		rest = mcp_bytes_of(rest.data + length, rest.length - length);
	}
	return cluster->servers > 0 ? MCP_CLUSTER_RIGHT : MCP_CLUSTER_EMPTY;
}

mcp_cluster_verdict mcp_cluster_read(mcp_bytes value, mcp_cluster *cluster) {
	cluster->version = cluster->servers = cluster->length = 0;
	mcp_bytes line, rest = value;
	if (value.length > MCP_CLUSTER_ANSWER_MAX) {
		return MCP_CLUSTER_TOO_LONG;
	}
	mcp_bytes_take_until(&rest, '\n', &line);
	if (line.length > 0 && line.data[line.length - 1] == '\r') {
		line.length--;
	}
	return read_number(line, UINT64_MAX, &cluster->version) ? read_servers(rest, cluster)
															: MCP_CLUSTER_WRONG;
}
