/* Notes what looks have found, and leaves marks where they found nothing. A mark is believed only when it is known to
 * have come before the look was over: one that comes late, after a delete, would let in what was read before that. */
/* SPDX-License-Identifier: MIT */
#include "cache_guarded_note.h"

#include <stdlib.h>

/* Notes what stands there by now, before the caller asks its database. */
static void look_again(const mcp_cache *cache, const mcp_key *key, mcp_read_stamp *note) {
	mcp_cache_entry entry;
	mcp_cache_fetch(cache, key, &entry);
	mcp_cache_guarded_hold(cache, note, &entry);
}

/* Notes a mark that was sent, by what became of it. */
static void note_mark(const mcp_cache *cache, const mcp_key *key, uint64_t epoch, mcp_status status,
	mcp_read_stamp *note) {
	if (status == MCP_OK) {
		note->state = MCP_READ_STAMP_HELD;
		note->epoch = epoch;
	} else if (status == MCP_NOT_STORED) {
		look_again(cache, key, note);
	} else if (status == MCP_UNKNOWN) {
		mcp_store_bypass_breaker(cache->store, key, MCP_BYPASS_TO_RESOLVE);
		look_again(cache, key, note);
	} else {
		note->state = MCP_READ_STAMP_TORN;
	}
}

static void leave_mark(const mcp_cache *cache, const mcp_key *key, mcp_read_stamp *note) {
	uint64_t epoch = mcp_epoch_u64(cache->environment, key->fingerprint);
	char header[MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
	mcp_cache_record record = {.header = header};
	mcp_cache_guarded_compose_mark(cache, key, &record, epoch, false);
	record.record.proof = mcp_cache_wants(cache, &note->proof);
	note_mark(cache, key, epoch, mcp_store_add(cache->store, key, &record.record), note);
}

static bool finds_nothing(const mcp_cache_entry *entry) {
	return entry->is_absent && entry->trouble == MCP_OK;
}

/* Ends the cap where the caller was elected over the own value: it computes anew. */
static void end_cap(const mcp_cache *cache, const mcp_cache_entry *entry, mcp_read_stamp *note) {
	if (entry->verdict == MCP_VERDICT_ELECTED && mcp_cache_guarded_is_noted(cache, note, entry)) {
		note->cap_ms = 0;
	}
}

/* Says whether a look begins anew: there was none, or so long ago that its mark is gone. */
static bool is_first(const mcp_cache *cache, const mcp_read_stamp *note) {
	return note->state == MCP_READ_STAMP_NONE ||
		mcp_monotonic_ms(cache->environment) - note->made_ms >= MCP_GUARDED_MARK_MS;
}

void mcp_cache_guarded_note(const mcp_cache *cache, const mcp_key *key,
	const mcp_cache_entry *entry, mcp_read_stamp *note) {
	if (!is_first(cache, note)) {
		end_cap(cache, entry, note);
		return;
	}
	*note = (mcp_read_stamp){.made_ms = mcp_monotonic_ms(cache->environment)};
	if (finds_nothing(entry)) {
		leave_mark(cache, key, note);
	} else {
		mcp_cache_guarded_hold(cache, note, entry);
	}
}

/* Marks that are sent together. A record's head is a view into it. */
typedef struct batch_of_marks {
	size_t count;
	size_t places[MCP_CACHE_BATCH_MAX];
	uint64_t epochs[MCP_CACHE_BATCH_MAX];
	mcp_write writes[MCP_CACHE_BATCH_MAX];
	char headers[MCP_CACHE_BATCH_MAX][MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
} batch_of_marks;

static void add_mark(const mcp_cache *cache, const mcp_key *key, size_t place, batch_of_marks *to) {
	mcp_cache_record record = {.header = to->headers[to->count]};
	uint64_t epoch = mcp_epoch_u64(cache->environment, key->fingerprint);
	mcp_cache_guarded_compose_mark(cache, key, &record, epoch, false);
	to->places[to->count] = place;
	to->epochs[to->count] = epoch;
	to->writes[to->count++] = (mcp_write){.key = *key, .record = record.record};
}

/* Notes by one read of many what stands at the keys of those writes that have not left their marks, or may not have. */
static void look_again_among(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_read_stamp *const *notes, const batch_of_marks *sent) {
	size_t places[MCP_CACHE_BATCH_MAX], count = 0;
	for (size_t i = 0; i < sent->count; i++) {
		mcp_status status = sent->writes[i].status;
		if (status == MCP_NOT_STORED || status == MCP_UNKNOWN) {
			batch->scratch_keys[count] = sent->writes[i].key;
			places[count++] = sent->places[i];
		}
		if (status == MCP_UNKNOWN) {
			mcp_store_bypass_breaker(cache->store, &sent->writes[i].key, MCP_BYPASS_TO_RESOLVE);
		}
	}
	if (count > 0) {
		mcp_store_get_many(cache->store, batch->scratch_keys, count, batch->replies);
	}
	for (size_t i = 0; i < count; i++) {
		mcp_cache_entry entry;
		mcp_cache_judge(cache, &batch->scratch_keys[i], &batch->replies[i], &entry);
		mcp_cache_guarded_hold(cache, notes[places[i]], &entry);
	}
}

static void leave_marks(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_read_stamp *const *notes, batch_of_marks *marks) {
	mcp_store_write_many(cache->store, MCP_CHANGE_ADD, marks->writes, marks->count);
	for (size_t i = 0; i < marks->count; i++) {
		mcp_status status = marks->writes[i].status;
		*notes[marks->places[i]] = (mcp_read_stamp){
			.state = status == MCP_OK ? MCP_READ_STAMP_HELD : MCP_READ_STAMP_TORN,
			.epoch = marks->epochs[i],
			.made_ms = mcp_monotonic_ms(cache->environment),
		};
	}
	look_again_among(cache, batch, notes, marks);
	marks->count = 0;
}

static bool is_to_be_marked(const mcp_cache *cache, const mcp_cache_batch *batch,
	const mcp_read_stamp *note, size_t index) {
	return note != NULL && finds_nothing(&batch->entries[index]) && is_first(cache, note);
}

void mcp_cache_guarded_note_many(const mcp_cache *cache, const mcp_cache_batch *batch,
	mcp_read_stamp *const *notes) {
	batch_of_marks *marks = batch->count > 1 ? malloc(sizeof(*marks)) : NULL;
	if (marks != NULL) {
		marks->count = 0;
	}
	for (size_t i = 0; i < batch->count; i++) {
		if (marks != NULL && is_to_be_marked(cache, batch, notes[i], i)) {
			add_mark(cache, &batch->keys[i], i, marks);
		} else if (notes[i] != NULL) {
			mcp_cache_guarded_note(cache, &batch->keys[i], &batch->entries[i], notes[i]);
		}
		if (marks != NULL && marks->count == MCP_CACHE_BATCH_MAX) {
			leave_marks(cache, batch, notes, marks);
		}
	}
	if (marks != NULL && marks->count > 0) {
		leave_marks(cache, batch, notes, marks);
	}
	free(marks);
}

void mcp_cache_guarded_note_delete(mcp_read_stamp *note, mcp_status status) {
	if (!mcp_status_is_failure(status)) {
		*note = (mcp_read_stamp){.state = MCP_READ_STAMP_NONE};
	} else if (note->state != MCP_READ_STAMP_NONE) {
		note->state = MCP_READ_STAMP_TORN;
	}
}
