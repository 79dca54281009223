/* Reading one key: copy after copy until one has an answer, and putting back what copy 0 has lost. */
/* SPDX-License-Identifier: MIT */
#include "copies_internal.h"

/* Keeps them, as a write does not end what a read has handed out, but reads here itself. */
static bool keep(mcp_copies *copies, mcp_bytes *value) {
	if (value->length > 0 && value->data == copies->kept.data) {
		return true;
	}
	mcp_buffer_clear(&copies->kept);
	if (!mcp_buffer_append(&copies->kept, *value)) {
		return false;
	}
	*value = mcp_bytes_of(copies->kept.data, copies->kept.length);
	return true;
}

mcp_status mcp_copies_get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	mcp_copies *copies = mcp_copies_of(store);
	mcp_found found = {.failure = MCP_OK};
	mcp_copy copy;
	mcp_copies_forget(copies);
	for (unsigned i = 0; i < mcp_copies_count(copies) && !found.is_decided; i++) {
		mcp_copies_look(copies, key, i, &copy);
		mcp_copies_take(copies, &found, &copy);
	}
	mcp_copies_repair(copies, key, &found);
	mcp_copies_remember(copies, key, &found);
	mcp_reply reply;
	mcp_copies_answer(&found, &reply);
	if (reply.status == MCP_OK) {
		*item = reply.item;
		return keep(copies, &item->value) ? MCP_OK : MCP_UNREACHABLE;
	}
	return reply.status;
}

/* Places a placeholder for a lease: one that dies here keeps readers from copy 0 for so long and no longer. */
static bool place(mcp_copies *copies, const mcp_key *key, const mcp_found *found) {
	uint64_t now_ms = mcp_wall_ms(copies->host);
	mcp_envelope envelope = {
		.key_fingerprint = key->fingerprint,
		.created_ms = now_ms,
		.soft_ms = now_ms,
		.hard_ms = now_ms,
		.epoch = mcp_copies_date(copies, found->newest_us, MCP_STEP_CARRIED),
	};
	char header[MCP_ENVELOPE_UNTAGGED_MAX_LENGTH];
	mcp_record record = {
		.head = mcp_bytes_of(header, mcp_envelope_encode(&envelope, 0, header)),
		.body = mcp_bytes_none(),
		.flags = mcp_envelope_item_flags(0),
		.ttl_ms = copies->lease_ms,
	};
	return mcp_store_add(found->first.store, key, &record) == MCP_OK;
}

/* Says whether copy 0 is free for a repair. An election's placeholder stays: what it was held for goes there. So
 * does what is no envelope: it may be another client's newer value. */
static bool is_free(const mcp_copy *home) {
	bool is_unclaimed = home->state == MCP_COPY_PLACEHOLDER && !home->has_claim;
	return home->index == 0 && (home->state == MCP_COPY_ABSENT || is_unclaimed);
}

/* Returns the physical TTL. A claim in the version keeps the envelope as long as an election would. */
static uint64_t left_ms(const mcp_copies *copies, const mcp_copy *version) {
	uint64_t now_ms = mcp_wall_ms(copies->host);
	uint64_t hard_ms = version->ends.hard_ms;
	if (hard_ms == MCP_NEVER_MS) {
		return 0;
	}
	return (hard_ms > now_ms ? hard_ms - now_ms : 0) + MCP_LEASES_KEPT * (uint64_t)copies->lease_ms;
}

mcp_status mcp_copies_put_back(mcp_copies *copies, const mcp_key *key, const mcp_copy *at,
	const mcp_copy *source) {
	mcp_record record = {
		.head = source->item.value,
		.body = mcp_bytes_none(),
		.flags = source->item.flags,
		.ttl_ms = left_ms(copies, source),
	};
	return mcp_store_cas(at->store, key, &record, at->item.cas);
}

/* Places something on copy 0 and reads the answer again behind it. False if it has failed. */
static bool prepare(mcp_copies *copies, const mcp_key *key, mcp_found *found, mcp_copy *home) {
	mcp_copy source;
	if (!keep(copies, &found->answer.item.value) || !place(copies, key, found)) {
		return false;
	}
	mcp_copies_look(copies, key, 0, home);
	mcp_copies_look(copies, key, found->answer.index, &source);
	if (source.state != MCP_COPY_UNREACHED) {
		/* Copy 0 has this version, a newer one, or it is gone. */
		found->answer = source;
	}
	return is_free(home) && home->status == MCP_OK && mcp_copies_is_alive(copies, &source);
}

/* Places the placeholder first and reads the value behind it: a writer whose version that read misses finds the
 * placeholder at its last look at copy 0, or has taken it away before (D2, D3). */
void mcp_copies_repair(mcp_copies *copies, const mcp_key *key, mcp_found *found) {
	bool has_value = found->has_answer && found->answer.state == MCP_COPY_VALUE;
	if (!has_value || !is_free(&found->first)) {
		return;
	}
	mcp_copy home = found->first;
	bool is_absent = home.state == MCP_COPY_ABSENT;
	if (!is_absent || prepare(copies, key, found, &home)) {
		/* The value was read when what is on copy 0 was there already. */
		mcp_copies_put_back(copies, key, &home, &found->answer);
	}
}
