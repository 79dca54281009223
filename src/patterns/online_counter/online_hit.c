/* Decides whether a visitor counts, by a mark that holds the slot he was counted in and a token of
 * its writer: of many requests of one visitor, one writes the mark and counts (O2). */
/* SPDX-License-Identifier: MIT */
#include "online_counter.h"

#include "../../core/decimal.h"
#include "../../core/hex.h"
#include "online_slots.h"
#include "../settle.h"

/* Each round means that another request of this visitor, or an eviction, came in between. */
#define ROUNDS_MAX 8
/* The attempts to take a mark back whose delete had no answer. */
#define ATTEMPTS_MAX 2

enum { TOKEN_LENGTH = MCP_HEX_U64_LENGTH, SEPARATOR_LENGTH = 1 };

/* One visit, and the mark it wants to leave: "<slot> <token>". */
typedef struct pending_visit {
	const mcp_online *online;
	mcp_key_buffer buffer;
	mcp_key key; /* of the mark */
	uint64_t slot;
	bool has_returned; /* counted before, in what is now the oldest ended slot */
	bool has_written;  /* sent the mark: it may be there, whatever the answer was */
	char mark[MCP_DECIMAL_MAX_LENGTH + SEPARATOR_LENGTH + TOKEN_LENGTH];
	mcp_record record; /* points into mark */
} pending_visit;

static char *append_token(const mcp_online *online, char *to) {
	return to + mcp_hex_write_u64(mcp_random_u64(online->environment), to);
}

/* Chooses the slot that is going on, and the mark for it. */
static void choose_slot(pending_visit *visit) {
	const mcp_online *online = visit->online;
	uint64_t now_ms = mcp_wall_ms(online->environment);
	visit->slot = mcp_window_slot(&online->window, now_ms);
	visit->has_returned = false;

	char *end = visit->mark + mcp_decimal_format_i64((int64_t)visit->slot, visit->mark);
	*end++ = ' ';
	end = append_token(online, end);
	visit->record = (mcp_record){
		.body = mcp_bytes_of(visit->mark, (size_t)(end - visit->mark)),
		.ttl_ms = mcp_window_slot_ttl_ms(&online->window, visit->slot, now_ms),
	};
}

static void begin(pending_visit *visit, const mcp_online *online, mcp_bytes visitor) {
	visit->online = online;
	visit->key = mcp_online_mark_key(online, &visit->buffer, visitor);
	visit->has_written = false;
	choose_slot(visit);
}

/* False if it is not a mark of ours. */
static bool counted_slot(mcp_bytes mark, uint64_t *slot) {
	const char *space = mark.length > 0 ? memchr(mark.data, ' ', mark.length) : NULL;
	if (space == NULL) {
		return false;
	}
	return mcp_decimal_parse_u64(mcp_bytes_of(mark.data, (size_t)(space - mark.data)), slot);
}

/* Says whether the visitor counts again. A mark from after the visit is another request's, while this one stood
 * still, unless it is from after the present, too. */
static bool counts_again(const pending_visit *visit, uint64_t counted) {
	const mcp_window *window = &visit->online->window;
	if (counted <= visit->slot) {
		return mcp_window_counts_again(window, counted, visit->slot);
	}
	uint64_t present = mcp_window_slot(window, mcp_wall_ms(visit->online->environment));
	return counted > present && mcp_window_counts_again(window, counted, present);
}

/* Returns MCP_OK: the mark is ours now; MCP_NOT_STORED: the visitor has been counted; MCP_EXISTS or
 * MCP_NOT_FOUND: look again. */
static mcp_status mark_again(pending_visit *visit, const mcp_item *item) {
	if (mcp_bytes_equal(item->value, visit->record.body)) {
		/* Ours, which was thought lost. */
		return MCP_OK;
	}
	const mcp_window *window = &visit->online->window;
	uint64_t counted;
	bool is_mark = counted_slot(item->value, &counted);
	if (is_mark && !counts_again(visit, counted)) {
		return MCP_NOT_STORED;
	}
	visit->has_returned = is_mark && counted + window->slots == visit->slot;
	visit->has_written = true;
	return mcp_settle_cas(visit->online->store, &visit->key, &visit->record, item->cas);
}

static mcp_status delete_ours(const pending_visit *visit) {
	mcp_item item;
	mcp_store *store = visit->online->store;
	mcp_status status = mcp_store_get(store, &visit->key, &item);
	if (status != MCP_OK) {
		return status;
	}
	if (!mcp_bytes_equal(item.value, visit->record.body)) {
		return MCP_EXISTS;
	}
	return mcp_store_delete_if(store, &visit->key, item.cas);
}

/* Asks also a server that was just left alone, because what failed may have been a timeout. A mark that cannot
 * be taken back, or arrives late, keeps its visitor from counting until it lets him count again. */
static void take_mark_back(const pending_visit *visit) {
	mcp_status status = MCP_UNKNOWN;
	for (int attempt = 0; attempt < ATTEMPTS_MAX && status == MCP_UNKNOWN; attempt++) {
		mcp_store_insist(visit->online->store, &visit->key, MCP_INSIST_TO_GIVE_BACK);
		status = delete_ours(visit);
	}
}

/* Says whether this visit stood still for too long. The marks that keep a visit from counting live through the
 * slot after it. After that, that none was there says nothing; nor does one that another such visit had just
 * left. */
static bool is_outdated(const pending_visit *visit) {
	const mcp_online *online = visit->online;
	return mcp_window_slot(&online->window, mcp_wall_ms(online->environment)) > visit->slot + 1;
}

static mcp_status mark_once(pending_visit *visit) {
	mcp_item item;
	mcp_status status = mcp_store_get(visit->online->store, &visit->key, &item);
	if (status == MCP_OK) {
		return mark_again(visit, &item);
	}
	if (status != MCP_NOT_FOUND) {
		return status;
	}
	visit->has_returned = false;
	visit->has_written = true;
	status = mcp_settle_add(visit->online->store, &visit->key, &visit->record);
	return status == MCP_NOT_STORED ? MCP_EXISTS : status;
}

/* Returns MCP_OK: this call counts the visitor; MCP_NOT_STORED: he has been counted. */
static mcp_status leave_mark(pending_visit *visit) {
	mcp_status status = MCP_EXISTS;
	for (int round = 0; round < ROUNDS_MAX; round++) {
		status = mark_once(visit);
		if (status == MCP_OK && is_outdated(visit)) {
			take_mark_back(visit);
			choose_slot(visit);
			status = MCP_EXISTS;
		}
		if (status != MCP_EXISTS && status != MCP_NOT_FOUND) {
			return status;
		}
	}
	return MCP_REFUSED;
}

/* Notes a return, which only smooth counts look at, so one that is missed is none of the visitor's business. */
static void note_return(const pending_visit *visit) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_online_returned_key(visit->online, &buffer, visit->slot);
	(void)mcp_online_bump(visit->online, &key, visit->slot, 1);
}

static mcp_status count(const pending_visit *visit) {
	mcp_key_buffer buffer;
	mcp_key key = mcp_online_slot_key(visit->online, &buffer, visit->slot);
	return mcp_online_bump(visit->online, &key, visit->slot, 1);
}

mcp_status mcp_online_hit(const mcp_online *online, mcp_bytes visitor, bool *has_counted) {
	*has_counted = false;
	pending_visit visit;
	begin(&visit, online, visitor);
	mcp_status status = leave_mark(&visit);
	if (status == MCP_NOT_STORED) {
		return MCP_OK;
	}
	if (status == MCP_OK) {
		status = count(&visit);
	}
	if (status != MCP_OK) {
		if (visit.has_written) {
			take_mark_back(&visit);
		}
		return status == MCP_NOT_FOUND ? MCP_OK : status;
	}
	if (visit.has_returned) {
		note_return(&visit);
	}
	*has_counted = true;
	return MCP_OK;
}
