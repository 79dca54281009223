/* Counts visits in time slots and sums the slots. A visit belongs to the slot in which it began, so that visits are
 * not lost or counted twice at the border of two slots (O4). */
/* SPDX-License-Identifier: MIT */
#include "online_counter.h"

#include "../../core/bytes.h"
#include "../../store/store.h"
#include "../counter/counter.h"

/* Makes the keys and increments the slots' numbers. An item lives as long as its slot is read. */

mcp_key mcp_online_slot_key(const mcp_online *online, mcp_key_buffer *buffer, uint64_t slot) {
	return mcp_key_append(buffer, online->key, slot);
}

mcp_key mcp_online_visitor_key(const mcp_online *online, mcp_key_buffer *buffer,
	mcp_bytes visitor) {
	const mcp_key *key = online->key;
	char name[2 * MCP_KEY_HASH_LENGTH + 1];
	mcp_key_hash_hex(name, MCP_SPACE_ONLINE, mcp_bytes_none(), online->name);
	name[MCP_KEY_HASH_LENGTH] = ':';
	mcp_key_hash_hex(name + MCP_KEY_HASH_LENGTH + 1, MCP_SPACE_SEEN, mcp_bytes_none(), visitor);
	/* The counter's own key begins with the pool's prefix. Put the same prefix before the mark's name. */
	mcp_key_parts parts = {
		.space = MCP_SPACE_SEEN,
		.prefix = mcp_bytes_of(key->wire.data, key->wire.length - key->route.length),
		.name = mcp_bytes_of(name, sizeof(name)),
	};
	return mcp_key_make(buffer, &parts);
}

/* Increment the slot's number. MCP_NOT_FOUND: the slot is no longer read. */
static mcp_status increment_slot(const mcp_online *online, const mcp_key *key, uint64_t slot,
	uint64_t by) {
	mcp_counter counter = {
		.store = online->store,
		.environment = online->environment,
		.key = key,
		.ttl_ms = mcp_window_slot_ttl_ms(&online->window, slot, mcp_wall_ms(online->environment)),
	};
	if (counter.ttl_ms == 0) {
		return MCP_NOT_FOUND;
	}
	int64_t number;
	return mcp_counter_start(&counter, 0, (int64_t)by, &number);
}

mcp_status mcp_online_increment(const mcp_online *online, uint64_t by) {
	if (by > INT64_MAX) {
		return MCP_OUT_OF_RANGE;
	}
	mcp_key_buffer buffer;
	uint64_t slot = mcp_window_slot(&online->window, mcp_wall_ms(online->environment));
	mcp_key key = mcp_online_slot_key(online, &buffer, slot);
	mcp_status status = increment_slot(online, &key, slot, by);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

/* A missing number is 0. */
static mcp_status number_of(const mcp_op *reply, uint64_t *number) {
	*number = 0;
	if (reply->status == MCP_NOT_FOUND) {
		return MCP_OK;
	}
	if (reply->status != MCP_OK) {
		return reply->status;
	}
	if (!mcp_decimal_parse_u64(reply->item.value, number)) {
		return MCP_NOT_A_NUMBER;
	}
	return *number <= INT64_MAX ? MCP_OK : MCP_OUT_OF_RANGE;
}

/* Make the keys of the slots, from `newest` back in time, and return their number. There are no slots before 1970. */
static size_t name_slots(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t newest) {
	for (size_t i = 0; i <= online->window.slots; i++) {
		if (i > newest) {
			return i;
		}
		scratch->keys[i] = mcp_online_slot_key(online, &scratch->buffers[i], newest - i);
	}
	return (size_t)online->window.slots + 1;
}

/* Read the window's numbers into scratch->numbers, newest slot first, or fail if one of them cannot be read. */
static mcp_status read_slots(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t newest) {
	size_t named = name_slots(online, scratch, newest);
	memset(scratch->numbers, 0,
		mcp_online_read_length(&online->window) * sizeof(*scratch->numbers));
	mcp_store_get_many(online->store, scratch->keys, named, scratch->replies);
	for (size_t i = 0; i < named; i++) {
		mcp_status status = number_of(&scratch->replies[i], &scratch->numbers[i]);
		if (status != MCP_OK) {
			return status;
		}
	}
	return MCP_OK;
}

mcp_status mcp_online_count(const mcp_online *online, const mcp_slots_scratch *scratch,
	bool is_smooth, uint64_t *count) {
	uint64_t now_ms = mcp_wall_ms(online->environment);
	uint64_t slot = mcp_window_slot(&online->window, now_ms);
	mcp_status status = read_slots(online, scratch, slot);
	if (status != MCP_OK) {
		return status;
	}
	uint64_t *oldest = &scratch->numbers[online->window.slots];
	if (is_smooth) {
		*oldest = mcp_window_oldest_share(&online->window, now_ms, *oldest);
	}
	*count = 0;
	for (size_t i = 0; i <= online->window.slots; i++) {
		*count += scratch->numbers[i];
		if (*count > INT64_MAX) {
			return MCP_OUT_OF_RANGE;
		}
	}
	return MCP_OK;
}

mcp_status mcp_online_slots(const mcp_online *online, const mcp_slots_scratch *scratch,
	uint64_t *newest) {
	*newest = mcp_window_slot(&online->window, mcp_wall_ms(online->environment));
	return read_slots(online, scratch, *newest);
}

/* --- visitors --- */

/* Each visitor is counted in the slot of the visitor's last hit. The visitor's mark names this slot and a token of the
 * request that wrote the mark. */

/* The slot's number is incremented before the mark is written, so that every visit that a mark names was counted and
 * can be undone (O2). */

/* Maximum number of rounds. Each further round means that another request of this visitor, or an eviction, came in
 * between. */
#define ROUNDS_MAX 8

enum { TOKEN_LENGTH = MCP_HEX_U64_LENGTH, SEPARATOR_LENGTH = 1 };

/* A visit and its mark: "<slot> <token>". */
typedef struct pending_visit {
	const mcp_online *online;
	mcp_key_buffer buffer;
	mcp_key key; /* key of the mark */
	uint64_t slot;
	bool has_counted; /* the slot's number includes this visit */
	/* a mark was sent and not answered, so another request might have continued from it */
	bool may_be_marked;
	bool was_counted; /* a previous slot of the window counted the visitor */
	uint64_t left;    /* the slot that the visitor leaves */
	char mark[MCP_DECIMAL_MAX_LENGTH + SEPARATOR_LENGTH + TOKEN_LENGTH];
	mcp_record record; /* record whose body is the mark */
} pending_visit;

static void begin_visit_of(pending_visit *visit, const mcp_online *online, mcp_bytes visitor) {
	uint64_t now_ms = mcp_wall_ms(online->environment);
	visit->online = online;
	visit->key = mcp_online_visitor_key(online, &visit->buffer, visitor);
	visit->slot = mcp_window_slot(&online->window, now_ms);
	visit->has_counted = visit->may_be_marked = visit->was_counted = false;

	char *end = visit->mark + mcp_decimal_format_i64((int64_t)visit->slot, visit->mark);
	*end++ = ' ';
	end += mcp_hex_write_u64(mcp_random_u64(online->environment), end);
	visit->record = (mcp_record){
		.body = mcp_bytes_of(visit->mark, (size_t)(end - visit->mark)),
		.ttl_ms = mcp_window_slot_ttl_ms(&online->window, visit->slot, now_ms),
	};
}

static bool slot_of(mcp_bytes mark, uint64_t *slot) {
	const char *space = mark.length > 0 ? memchr(mark.data, ' ', mark.length) : NULL;
	if (space == NULL) {
		return false;
	}
	return mcp_decimal_parse_u64(mcp_bytes_of(mark.data, (size_t)(space - mark.data)), slot);
}

/* Whether another request has counted the visitor in this slot or in a later one. A later slot means that this
 * process was paused, or that the other host's clock is ahead. A slot even further ahead was written with other
 * settings. */
static bool is_counted_by(const pending_visit *visit, uint64_t slot) {
	const mcp_online *online = visit->online;
	uint64_t present = mcp_window_slot(&online->window, mcp_wall_ms(online->environment));
	return slot == visit->slot || (slot > visit->slot && slot <= present + online->window.slots);
}

/* Count the visit once. MCP_NOT_STORED: the slot is no longer read. */
static mcp_status count_visit(pending_visit *visit) {
	if (visit->has_counted) {
		return MCP_OK;
	}
	mcp_key_buffer buffer;
	mcp_key key = mcp_online_slot_key(visit->online, &buffer, visit->slot);
	mcp_status status = increment_slot(visit->online, &key, visit->slot, 1);
	visit->has_counted = status == MCP_OK;
	return status == MCP_NOT_FOUND ? MCP_NOT_STORED : status;
}

/* Take the visitor out of the slot. If this decrement is lost, 2 slots count the visitor until the older slot leaves
 * the window. */
static void take_out(const pending_visit *visit, uint64_t slot) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_online_slot_key(visit->online, &buffer, slot);
	uint64_t ignored;
	(void)mcp_store_decrement(visit->online->store, &key, 1, &ignored);
}

/* Judge the write of the mark. Read again if it was not answered. If a second write is not answered, return
 * MCP_UNKNOWN, because the server answers reads, but no writes. */
static mcp_status judge_mark(pending_visit *visit, mcp_status status) {
	if (status != MCP_UNKNOWN || visit->may_be_marked) {
		return status == MCP_NOT_STORED ? MCP_EXISTS : status;
	}
	visit->may_be_marked = true;
	mcp_store_bypass_breaker(visit->online->store, &visit->key, MCP_BYPASS_TO_RESOLVE);
	return MCP_EXISTS;
}

/* Count the visit, then replace the mark. MCP_OK: the mark is stored. MCP_NOT_STORED: the visitor was already counted
 * in this slot or a later one, or the slot is no longer read. MCP_EXISTS or MCP_NOT_FOUND: read again. */
static mcp_status mark_over(pending_visit *visit, const mcp_item *item) {
	if (mcp_bytes_equal(item->value, visit->record.body)) {
		return MCP_OK; /* this visit's mark is stored, although its reply was lost */
	}
	uint64_t slot = 0;
	bool is_mark = slot_of(item->value, &slot);
	if (is_mark && is_counted_by(visit, slot)) {
		return MCP_NOT_STORED;
	}
	uint64_t cas = item->cas; /* the next call invalidates the item */
	mcp_status status = count_visit(visit);
	if (status != MCP_OK) {
		return status;
	}
	visit->was_counted = is_mark && mcp_window_has(&visit->online->window, visit->slot, slot);
	visit->left = slot;
	return judge_mark(visit, mcp_store_cas(visit->online->store, &visit->key, &visit->record, cas));
}

/* Count the visit and add the mark, in 1 round trip. The number is created first, because the mark would otherwise be
 * added even if no number was there to count the visit. Returns the status of the increment, or MCP_UNSUPPORTED if
 * nothing was sent. *marked: status of the mark. */
static mcp_status count_and_mark(pending_visit *visit, mcp_status *marked) {
	mcp_store *store = visit->online->store;
	mcp_key_buffer buffer;
	mcp_key key = mcp_online_slot_key(visit->online, &buffer, visit->slot);
	if (visit->has_counted || mcp_store_owner(store, &key) != mcp_store_owner(store, &visit->key)) {
		return MCP_UNSUPPORTED;
	}
	const mcp_record none = {.body = mcp_bytes_of("0", 1), .ttl_ms = visit->record.ttl_ms};
	mcp_op steps[3];
	mcp_op_begin(&steps[0], MCP_OP_ADD, &key, &none);
	mcp_op_begin(&steps[1], MCP_OP_INCREMENT, &key, NULL);
	mcp_op_begin(&steps[2], MCP_OP_ADD, &visit->key, &visit->record);
	steps[1].by = 1;
	mcp_store_steps_at_once(store, steps, 3);
	*marked = steps[2].status;
	const mcp_counter counter = {.store = store, .key = &key};
	int64_t number;
	mcp_status status = steps[1].status;
	status = status == MCP_OK ? mcp_counter_accept(&counter, 1, steps[1].number, &number) : status;
	visit->has_counted = status == MCP_OK;
	return status;
}

/* Like mark_over, for a missing mark. */
static mcp_status mark_first(pending_visit *visit) {
	mcp_store *store = visit->online->store;
	mcp_status marked = MCP_UNSUPPORTED;
	mcp_status status = count_and_mark(visit, &marked);
	if (status == MCP_UNSUPPORTED || status == MCP_NOT_FOUND) {
		status = count_visit(visit);
	}
	if (status != MCP_OK) {
		if (marked == MCP_OK && status != MCP_NOT_STORED) {
			(void)mcp_store_delete(store, &visit->key); /* it would hide the visitor */
		}
		return status;
	}
	visit->was_counted = false;
	marked = marked == MCP_UNSUPPORTED ? mcp_store_add(store, &visit->key, &visit->record) : marked;
	return judge_mark(visit, marked);
}

static mcp_status mark_once(pending_visit *visit) {
	mcp_item item;
	mcp_status status = mcp_store_get(visit->online->store, &visit->key, &item);
	if (status == MCP_OK) {
		return mark_over(visit, &item);
	}
	return status == MCP_NOT_FOUND ? mark_first(visit) : status;
}

static mcp_status leave_mark(pending_visit *visit) {
	mcp_status status = MCP_EXISTS;
	for (int round = 0; round < ROUNDS_MAX; round++) {
		status = mark_once(visit);
		if (status != MCP_EXISTS && status != MCP_NOT_FOUND) {
			return status;
		}
	}
	return MCP_REFUSED;
}

/* Returns true if the mark was not sent, or the server refused it and has no mark of this visit. */
static bool is_refused(const pending_visit *visit, mcp_status status) {
	mcp_item item;
	if (status == MCP_REFUSED) {
		status = mcp_store_get(visit->online->store, &visit->key, &item);
		return status == MCP_NOT_FOUND ||
			(status == MCP_OK && !mcp_bytes_equal(item.value, visit->record.body));
	}
	return status == MCP_NO_CAS;
}

mcp_status mcp_online_hit(const mcp_online *online, mcp_bytes visitor, bool *is_new) {
	pending_visit visit;
	begin_visit_of(&visit, online, visitor);
	mcp_status status = leave_mark(&visit);
	*is_new = status == MCP_OK && !visit.was_counted;
	if (status == MCP_OK && visit.was_counted) {
		take_out(&visit, visit.left);
	}
	/* After another failure, the visit stays counted, because the mark might be stored. */
	if (visit.has_counted && !visit.may_be_marked &&
		(status == MCP_NOT_STORED || is_refused(&visit, status))) {
		take_out(&visit, visit.slot);
	}
	return status == MCP_NOT_STORED ? MCP_OK : status;
}
