/* The ends of a hold: the holder's on the steady clock, the others' on the wall clock, and memcached's TTL,
 * which only cleans up. */
/* SPDX-License-Identifier: MIT */
#include "lock_terms.h"

#include "../../core/envelope/expiry.h"

/* memcached's clock lags under load, by more than any fixed margin, and then catches up at once. An item
 * that is dropped late does no harm: others take it over. An item that is dropped before its holder's end
 * allows 2 holders. So memcached only cleans up items that expired long ago. */
#define CLEARED_AFTER_MS 60000
/* If memcached's TTL is the end, its clock can advance by 2 seconds at once (see mcp_expiry_from_ttl). */
#define SKIPPED_TICK_MS 1000

static bool has_end(const mcp_lock *lock) {
	return lock->ttl_ms != MCP_LOCK_FOREVER;
}

static bool believes_clocks(const mcp_lock *lock) {
	return lock->skew_ms != MCP_LOCK_FOREVER;
}

static uint64_t item_ttl_ms(const mcp_lock *lock) {
	if (!has_end(lock)) {
		return MCP_TTL_FOREVER;
	}
	uint64_t longer_ms = believes_clocks(lock) ? CLEARED_AFTER_MS : SKIPPED_TICK_MS;
	return mcp_lock_terms_later(lock->ttl_ms, longer_ms);
}

/* Read the steady clock first: the time until the second read shortens the hold, never extends it. */
void mcp_lock_terms_make(const mcp_lock *lock, uint64_t stamp, mcp_lock_terms *terms) {
	terms->deadline_ms = mcp_lock_terms_later(mcp_monotonic_ms(lock->environment), lock->ttl_ms);
	bool tells_end = has_end(lock) && believes_clocks(lock);
	uint64_t wall_ms = mcp_wall_ms(lock->environment);
	terms->until_ms = tells_end ? mcp_lock_terms_later(wall_ms, lock->ttl_ms) : 0;
	mcp_lock_item item = {
		.stamp = stamp,
		.until_ms = tells_end ? terms->until_ms : MCP_LOCK_ITEM_NEVER,
	};
	const mcp_holder_label *label =
		lock->named != NULL ? mcp_holder_register(lock->named, stamp) : NULL;
	terms->record = (mcp_record){
		.head = mcp_bytes_of(terms->head, mcp_lock_item_write_head(&item, label, terms->head)),
		.body = lock->owner,
		.ttl_ms = item_ttl_ms(lock),
		.is_claim = true,
	};
}

mcp_lock_item mcp_lock_terms_read(const mcp_item *item) {
	mcp_lock_item read;
	if (!mcp_lock_item_read(item->value, &read)) {
		read = (mcp_lock_item){.owner = item->value, .until_ms = MCP_LOCK_ITEM_NEVER};
	}
	return read;
}

uint64_t mcp_lock_terms_left_ms(const mcp_lock *lock, const mcp_lock_item *item) {
	uint64_t end_ms = mcp_lock_terms_later(item->until_ms, lock->skew_ms);
	uint64_t wall_ms = mcp_wall_ms(lock->environment);
	return end_ms > wall_ms ? end_ms - wall_ms : 0;
}

uint64_t mcp_lock_terms_taken_for_ms(const mcp_lock *lock, const mcp_lock_item *item) {
	bool is_orphan =
		lock->holder != NULL && mcp_holder_knows_orphan(lock->holder, &item->holder, item->stamp);
	return is_orphan ? 0 : mcp_lock_terms_left_ms(lock, item);
}
