/* Finds records by their names, and forgets what they counted. */
/* SPDX-License-Identifier: MIT */
#include "metrics.h"

#include "../hex.h"
#include "../utf8.h"
#include "../vendor/xxh64.h"

/* The end of a name that is cut: '~' and 16 hex digits of its hash. */
#define TAIL 17

/* Cache lines of their own. */
_Static_assert(sizeof(mcp_metrics_name) % 64 == 0, "names fill whole cache lines");
_Static_assert(sizeof(mcp_metrics_group) % 64 == 0, "groups fill whole cache lines");
_Static_assert(sizeof(mcp_metrics_server) % 64 == 0, "servers fill whole cache lines");
_Static_assert(sizeof(mcp_metrics_lock) % 64 == 0, "locks fill whole cache lines");
_Static_assert(sizeof(mcp_metrics_session) % 64 == 0, "sessions fill whole cache lines");
_Static_assert(sizeof(mcp_strip_slot) == 64, "an event fills a cache line");

void mcp_metrics_begin(mcp_metrics *metrics, uint64_t now_ms) {
	uint64_t none = 0;
	atomic_compare_exchange_strong_explicit(&metrics->since_ms, &none, now_ms, memory_order_relaxed,
		memory_order_relaxed);
}

void mcp_metrics_raise(mcp_metrics_word *word, uint64_t to) {
	uint64_t there = mcp_metrics_get(word);
	while (there < to &&
		!atomic_compare_exchange_weak_explicit(word, &there, to, memory_order_relaxed,
			memory_order_relaxed)) {
	}
}

/* A made collision adds up the counts of two names, and gains nothing. */
static uint64_t id_of(mcp_bytes name) {
	uint64_t hash = XXH64(name.data, name.length, 0);
	return hash != 0 ? hash : 1;
}

static mcp_bytes shorten(mcp_bytes name, uint64_t id, char out[MCP_METRICS_NAME_MAX]) {
	if (name.length <= MCP_METRICS_NAME_MAX) {
		return name;
	}
	size_t end = mcp_utf8_cut(name, MCP_METRICS_NAME_MAX - TAIL);
	memcpy(out, name.data, end);
	out[end] = '~';
	mcp_hex_write_u64(id, out + end + 1);
	return mcp_bytes_of(out, end + TAIL);
}

/* Says whether the record at this place is the name's, or now becomes it. */
static bool claim(mcp_metrics_name *record, uint64_t id) {
	uint64_t there = mcp_metrics_get(&record->id);
	if (there == 0 &&
		atomic_compare_exchange_strong_explicit(&record->id, &there, id, memory_order_relaxed,
			memory_order_relaxed)) {
		return true;
	}
	return there == id;
}

#define COUNTED(what, label, of, list, record)                                             \
	{                                                                                      \
		what, label, &mcp_counts_of_##of, offsetof(mcp_metrics, list), sizeof(record),     \
			sizeof(((mcp_metrics *)NULL)->list) / sizeof(record), offsetof(record, counts) \
	}

const mcp_counted mcp_counted_caches = COUNTED("cache", "group", caches, groups, mcp_metrics_group);
const mcp_counted mcp_counted_servers =
	COUNTED("server", "server", servers, servers, mcp_metrics_server);
const mcp_counted mcp_counted_locks = COUNTED("lock", "lock", locks, locks, mcp_metrics_lock);
const mcp_counted mcp_counted_sessions =
	COUNTED("session", "prefix", sessions, sessions, mcp_metrics_session);

/* Finds a name's record; the last one is nobody's. */
static void *find(mcp_metrics *metrics, const mcp_counted *counted, mcp_bytes name) {
	uint64_t id = id_of(name);
	size_t owned = counted->records - 1;
	char shortened[MCP_METRICS_NAME_MAX];
	for (size_t i = 0; i < owned; i++) {
		mcp_metrics_name *record =
			(mcp_metrics_name *)mcp_counted_name(counted, metrics, (id + i) % owned);
		if (claim(record, id)) {
			mcp_metrics_text_write(&record->head, record->text, id, shorten(name, id, shortened),
				0);
			return record;
		}
	}
	return (void *)mcp_counted_name(counted, metrics, owned);
}

mcp_metrics_group *mcp_metrics_find_group(mcp_metrics *metrics, mcp_bytes name) {
	return find(metrics, &mcp_counted_caches, name);
}

mcp_metrics_server *mcp_metrics_find_server(mcp_metrics *metrics, mcp_bytes address) {
	return find(metrics, &mcp_counted_servers, address);
}

mcp_metrics_lock *mcp_metrics_find_lock(mcp_metrics *metrics, mcp_bytes name) {
	return find(metrics, &mcp_counted_locks, name);
}

mcp_metrics_session *mcp_metrics_find_session(mcp_metrics *metrics, mcp_bytes prefix) {
	return find(metrics, &mcp_counted_sessions, prefix);
}

bool mcp_counted_has_any(const mcp_counted *counted, const mcp_metrics *metrics, size_t index) {
	const mcp_metrics_word *words = mcp_counted_words(counted, metrics, index);
	for (size_t i = 0; i < counted->counts->length; i++) {
		if (mcp_metrics_get(&words[i]) > 0) {
			return true;
		}
	}
	return false;
}

bool mcp_metrics_read_name(const mcp_metrics_name *name, char *out, size_t *length) {
	uint64_t id = mcp_metrics_get(&name->id);
	uint32_t note;
	return id != 0 &&
		mcp_metrics_text_read(&name->head, name->text, id, out, MCP_METRICS_NAME_MAX, length,
			&note);
}

bool mcp_metrics_enter(mcp_metrics *metrics, uint32_t pid) {
	for (size_t i = 0; i < MCP_METRICS_PROCESSES; i++) {
		uint64_t there = mcp_metrics_get(&metrics->processes[i]);
		if (there == 0) {
			atomic_compare_exchange_strong_explicit(&metrics->processes[i], &there, pid,
				memory_order_relaxed, memory_order_relaxed);
			there = mcp_metrics_get(&metrics->processes[i]);
		}
		if (there == pid) {
			return true;
		}
	}
	return false;
}

static void zero(mcp_metrics_word *words, size_t count) {
	for (size_t i = 0; i < count; i++) {
		atomic_store_explicit(&words[i], 0, memory_order_relaxed);
	}
}

/* Zeroes the counts of each record, and all that follows them. */
static void reset(mcp_metrics *metrics, const mcp_counted *counted) {
	for (size_t i = 0; i < counted->records; i++) {
		zero((mcp_metrics_word *)mcp_counted_words(counted, metrics, i),
			(counted->size - counted->words) / sizeof(mcp_metrics_word));
	}
}

void mcp_metrics_reset(mcp_metrics *metrics, uint64_t now_ms) {
	atomic_store_explicit(&metrics->since_ms, now_ms, memory_order_relaxed);
	zero(metrics->counts, MCP_HOST_COUNTS);
	reset(metrics, &mcp_counted_caches);
	reset(metrics, &mcp_counted_servers);
	reset(metrics, &mcp_counted_locks);
	reset(metrics, &mcp_counted_sessions);
	mcp_strip_clear(&metrics->strip);
	mcp_rebuilds_clear(&metrics->rebuilds);
	mcp_history_clear(&metrics->history);
}
