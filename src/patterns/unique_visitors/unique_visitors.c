/* Counts distinct visitors: appends a pair for each hit that raises a register, and folds the pairs into the
 * registers if there are many pairs. */
/* SPDX-License-Identifier: MIT */
#include "unique_visitors.h"

#include "../../core/items/sketch.h"
#include "../../core/vendor/xxh64.h"
#include "../append.h"

#include <stdlib.h>

/* Finds, creates and drops copies of registers. The memory of a dropped copy is reused. */

/* Begin an empty copy. */
static void restart_copy(mcp_unique_copy *copy, uint64_t now_ms) {
	memset(copy->registers, 0, mcp_hyperloglog_registers(copy->precision));
	copy->since_ms = now_ms;
}

/* Return the copy of an item's registers. A copy that is too old is emptied. A new copy replaces the least recently
 * used copy. NULL if memory is exhausted. */
static mcp_unique_copy *find_copy(mcp_unique_known *known, const char *address, const mcp_key *key,
	unsigned precision, uint64_t now_ms) {
	/* The application chooses its servers, so crafted collisions gain nothing. */
	uint64_t server = XXH64(address, strlen(address), 0);
	mcp_unique_copy *longest_unused = &known->copies[0];
	for (size_t i = 0; i < MCP_UNIQUE_COPIES_MAX; i++) {
		mcp_unique_copy *copy = &known->copies[i];
		mcp_bytes wire = mcp_bytes_of(copy->wire.bytes, copy->wire_length);
		if (copy->server == server && copy->precision == precision &&
			mcp_bytes_equal(wire, key->wire)) {
			copy->used_ms = now_ms;
			if (now_ms - copy->since_ms >= MCP_UNIQUE_BELIEVED_MS) {
				restart_copy(copy, now_ms);
			}
			return copy;
		}
		longest_unused = copy->used_ms < longest_unused->used_ms ? copy : longest_unused;
	}
	mcp_unique_copy *new = longest_unused;
	if (new->registers == NULL) {
		new->registers = malloc(MCP_HYPERLOGLOG_REGISTERS_MAX);
		if (new->registers == NULL) {
			return NULL;
		}
	}
	new->server = server;
	new->precision = precision;
	new->wire_length = key->wire.length;
	memcpy(new->wire.bytes, key->wire.data, key->wire.length);
	restart_copy(new, now_ms);
	new->used_ms = now_ms;
	return new;
}

void mcp_unique_known_free(mcp_unique_known *known) {
	for (size_t i = 0; i < MCP_UNIQUE_COPIES_MAX; i++) {
		free(known->copies[i].registers);
	}
	*known = (mcp_unique_known){0};
}

/* Number of appends of a process between two folds. */
#define FOLDED_EVERY 256
/* Readers fold the pairs of an item if they exceed this number of bytes. */
#define TAIL_MAX 4096
#define ATTEMPTS_MAX 2
/* Clock skew, plus a margin because memcached counts whole seconds. */
#define SKEW_MS 2000
#define MILLISECONDS 1000

static uint64_t slot_now(const mcp_unique *unique) {
	return mcp_window_slot(&unique->window, mcp_wall_ms(unique->environment));
}

static mcp_key slot_key(const mcp_unique *unique, mcp_key_buffer *buffer, uint64_t slot) {
	return mcp_key_append_beside(buffer, unique->key, slot);
}

/* Time until no host's window has the slot; 0: none has it. */
static uint64_t ttl_ms(const mcp_unique *unique, uint64_t slot) {
	uint64_t end_s = mcp_window_slot_start_s(&unique->window, slot + unique->window.slots);
	uint64_t end_ms = end_s * MILLISECONDS + SKEW_MS;
	uint64_t wall_ms = mcp_wall_ms(unique->environment);
	return end_ms > wall_ms ? end_ms - wall_ms : 0;
}

/* --- folding --- */

/* Write the folded registers with `cas`, so that a concurrent append is not lost (H3). If the race is lost, the next
 * process folds. */
static mcp_status write_out(const mcp_unique *unique, const mcp_key *key, uint64_t slot,
	const uint8_t *registers, uint64_t cas) {
	char written[MCP_SKETCH_WRITTEN_MAX];
	mcp_record record = {
		.body = mcp_bytes_of(written, mcp_sketch_write(written, registers, unique->precision)),
		.ttl_ms = ttl_ms(unique, slot),
	};
	return record.ttl_ms > 0 ? mcp_store_cas(unique->store, key, &record, cas) : MCP_NOT_FOUND;
}

/* Read the item into the copy, and write it folded. MCP_NOT_STORED: the item is not a sketch of this precision. */
static mcp_status fold(const mcp_unique *unique, const mcp_key *key, uint64_t slot,
	mcp_unique_copy *copy) {
	mcp_item item;
	size_t tail_length;
	restart_copy(copy, mcp_monotonic_ms(unique->environment));
	mcp_status status = mcp_store_get(unique->store, key, &item);
	if (status != MCP_OK) {
		return status;
	}
	if (!mcp_sketch_fold(item.value, unique->precision, copy->registers, &tail_length)) {
		return MCP_NOT_STORED;
	}
	return write_out(unique, key, slot, copy->registers, item.cas);
}

/* --- hits --- */

/* A pair that is being sent. */
typedef struct pending_hit {
	const mcp_unique *unique;
	mcp_key_buffer buffer;
	mcp_key key; /* key of the slot's item */
	uint64_t slot;
	mcp_hyperloglog_place place;
	mcp_unique_copy *copy; /* NULL: nothing is known */
	char head[MCP_SKETCH_HEAD_LENGTH], pair[MCP_SKETCH_PAIR_LENGTH];
	mcp_record record; /* points into head and pair */
} pending_hit;

static void begin_hit(pending_hit *hit, const mcp_unique *unique, uint64_t hash) {
	hit->unique = unique;
	hit->slot = slot_now(unique);
	hit->key = slot_key(unique, &hit->buffer, hit->slot);
	hit->place = mcp_hyperloglog_place_of(hash, unique->precision);
	const char *address = mcp_store_owner(unique->store, &hit->key)->address;
	hit->copy = find_copy(unique->known, address, &hit->key, unique->precision,
		mcp_monotonic_ms(unique->environment));
	mcp_sketch_write_head(hit->head, unique->precision);
	mcp_sketch_write_pair(hit->pair, hit->place, unique->precision);
	hit->record = (mcp_record){
		.head = mcp_bytes_of(hit->head, sizeof(hit->head)),
		.body = mcp_bytes_of(hit->pair, sizeof(hit->pair)),
		.ttl_ms = ttl_ms(unique, hit->slot),
	};
}

/* Append the pair. If the item was missing, the process's copy of its registers is invalid. */
static mcp_status append(pending_hit *hit) {
	const mcp_unique *unique = hit->unique;
	mcp_status status = mcp_store_append(unique->store, &hit->key, hit->record.body);
	if (status != MCP_NOT_STORED) {
		return status;
	}
	if (hit->copy != NULL) {
		restart_copy(hit->copy, mcp_monotonic_ms(unique->environment));
	}
	return mcp_append_refused(unique->store, &hit->key, &hit->record);
}

/* Resend a hit that was not answered. This is safe, because a repeated hit has no effect. */
static mcp_status append_until_answered(pending_hit *hit) {
	mcp_status status = append(hit);
	for (int attempt = 1; status == MCP_UNKNOWN && attempt < ATTEMPTS_MAX; attempt++) {
		mcp_store_bypass_breaker(hit->unique->store, &hit->key, MCP_BYPASS_TO_RESOLVE);
		status = append(hit);
		status = status == MCP_UNREACHABLE ? MCP_UNKNOWN : status;
	}
	return status;
}

static void note_rank(pending_hit *hit) {
	uint8_t *known = hit->copy != NULL ? &hit->copy->registers[hit->place.index] : NULL;
	if (known != NULL && *known < hit->place.rank) {
		*known = hit->place.rank;
	}
	if (++hit->unique->known->appends % FOLDED_EVERY == 0 && hit->copy != NULL) {
		(void)fold(hit->unique, &hit->key, hit->slot, hit->copy);
	}
}

mcp_status mcp_unique_hit(const mcp_unique *unique, uint64_t hash) {
	pending_hit hit;
	begin_hit(&hit, unique, hash);
	if (hit.copy != NULL && hit.copy->registers[hit.place.index] >= hit.place.rank) {
		return MCP_OK;
	}
	mcp_status status = append_until_answered(&hit);
	/* H4: the item might be full. If it is a sketch, a fold of its pairs makes it shorter. */
	if (status == MCP_NOT_STORED && hit.copy != NULL &&
		fold(unique, &hit.key, hit.slot, hit.copy) == MCP_OK) {
		status = append_until_answered(&hit);
	}
	if (status == MCP_OK) {
		note_rank(&hit);
	}
	return status;
}

/* --- reading --- */

/* There are no slots before 1970. */
static size_t name_slots(const mcp_unique *unique, const mcp_unique_scratch *scratch,
	uint64_t newest) {
	for (size_t i = 0; i < unique->window.slots; i++) {
		if (i > newest) {
			return i;
		}
		scratch->keys[i] = slot_key(unique, &scratch->buffers[i], newest - i);
	}
	return unique->window.slots;
}

static mcp_status fold_reply(const mcp_unique *unique, const mcp_unique_scratch *scratch, size_t i,
	uint64_t slot) {
	const mcp_op *reply = &scratch->replies[i];
	size_t tail_length = 0;
	memset(scratch->registers, 0, mcp_hyperloglog_registers(unique->precision));
	if (reply->status == MCP_NOT_FOUND) {
		return MCP_OK;
	}
	if (reply->status != MCP_OK) {
		return reply->status;
	}
	if (!mcp_sketch_fold(reply->item.value, unique->precision, scratch->registers, &tail_length)) {
		return MCP_NOT_A_NUMBER;
	}
	if (tail_length > TAIL_MAX) {
		(void)write_out(unique, &scratch->keys[i], slot, scratch->registers, reply->item.cas);
	}
	return MCP_OK;
}

mcp_status mcp_unique_read(const mcp_unique *unique, const mcp_unique_scratch *scratch,
	mcp_unique_visitor visit, void *context) {
	uint64_t newest = slot_now(unique);
	size_t named = name_slots(unique, scratch, newest);
	mcp_store_get_many(unique->store, scratch->keys, named, scratch->replies);
	for (size_t i = 0; i < named; i++) {
		mcp_status status = fold_reply(unique, scratch, i, newest - i);
		if (status != MCP_OK) {
			return status;
		}
		visit(context, newest - i, scratch->registers);
	}
	return MCP_OK;
}

/* --- resetting --- */

mcp_status mcp_unique_reset(const mcp_unique *unique, const mcp_unique_scratch *scratch,
	mcp_status *statuses) {
	size_t named = name_slots(unique, scratch, slot_now(unique));
	mcp_store_delete_many(unique->store, scratch->keys, named, statuses);
	/* This also empties the copies of other items, which are learned again. */
	for (size_t i = 0; i < MCP_UNIQUE_COPIES_MAX; i++) {
		uint8_t *registers = unique->known->copies[i].registers;
		if (registers != NULL) {
			memset(registers, 0, MCP_HYPERLOGLOG_REGISTERS_MAX);
		}
	}
	mcp_status worst = MCP_OK;
	for (size_t i = 0; i < named && worst == MCP_OK; i++) {
		worst = statuses[i] == MCP_NOT_FOUND ? MCP_OK : statuses[i];
	}
	return worst;
}
