/* Reads one or many keys from their copies until one has a result. A read of one key restores a value that copy 0 has
 * lost. */
/* SPDX-License-Identifier: MIT */
#include "../../store/store.h"
#include "copies_internal.h"

#include <stdlib.h>

/* --- stamps: the order of a key's versions (D1) --- */

/* The stamp of an overwrite is later than every version that its writer has read, and not earlier than the
 * writer's clock. A successor is made from a version that was read, its base. Its stamp is immediately after
 * that of the base, before every version that was begun later. */

/* The upper 52 bits of an epoch are microseconds since 1970, sufficient until 2112. The lower 12 bits are
 * random. */
#define STAMP_RANDOM_BITS 12
#define STAMP_TIME_MAX (((uint64_t)1 << (64 - STAMP_RANDOM_BITS)) - 1)
/* A version based on a miss gets a random time in the first 2^40 us (13 days) of 1970, earlier than any
 * clock. */
#define STAMP_EARLY_BITS 40
#define US_PER_MS 1000

int mcp_version_compare(const mcp_version *a, const mcp_version *b) {
	if (a->epoch != b->epoch) {
		return a->epoch < b->epoch ? -1 : 1;
	}
	if (a->election != b->election) {
		return a->election < b->election ? -1 : 1;
	}
	return a->created_ms < b->created_ms ? -1 : a->created_ms > b->created_ms;
}

static uint64_t time_us(uint64_t epoch) {
	return epoch >> STAMP_RANDOM_BITS;
}

static uint64_t place_us(uint64_t epoch, uint32_t election) {
	return time_us(epoch) + (uint64_t)MCP_DISTANCE_ELECTION * election;
}

bool mcp_version_follows_nothing(const mcp_version *version) {
	return time_us(version->epoch) >> STAMP_EARLY_BITS <= 1;
}

uint64_t mcp_version_place_us(const mcp_version *version) {
	return place_us(version->epoch, version->election);
}

/* An overwrite of this item must have a later time. Assume that the claim's result was stored: a result that
 * did not reach a copy is stamped by the holder's clock. */
static uint64_t place_of(const mcp_envelope *envelope, uint64_t claimed_us) {
	uint64_t place = place_us(envelope->epoch, envelope->newest_election);
	return claimed_us > place ? claimed_us : place;
}

/* Time at which the claim was taken, by its holder's clock; 0: no claim. */
static uint64_t claimed_us_of(const mcp_envelope *envelope) {
	bool is_known = envelope->has_claim && envelope->claim_end_ms > envelope->claim_lease_ms;
	return is_known ? (envelope->claim_end_ms - envelope->claim_lease_ms) * US_PER_MS : 0;
}

static uint64_t make_stamp(const mcp_copies *copies, uint64_t at_us) {
	uint64_t capped_us = at_us < STAMP_TIME_MAX ? at_us : STAMP_TIME_MAX;
	return capped_us << STAMP_RANDOM_BITS |
		mcp_random_u64(copies->host) >> (64 - STAMP_RANDOM_BITS);
}

uint64_t mcp_copies_stamp(const mcp_copies *copies) {
	uint64_t now_us = mcp_wall_ms(copies->host) * US_PER_MS;
	uint64_t least_us = copies->newest_us + MCP_DISTANCE_OVERWRITE;
	return make_stamp(copies, now_us > least_us ? now_us : least_us);
}

uint64_t mcp_copies_date(const mcp_copies *copies, uint64_t place, mcp_stamp_distance distance) {
	if (place == 0) {
		return make_stamp(copies, 1 + (mcp_random_u64(copies->host) >> (64 - STAMP_EARLY_BITS)));
	}
	return make_stamp(copies, place + distance);
}

static void set_epoch(mcp_copies *copies, mcp_copies_write *write, uint64_t epoch) {
	write->version.epoch = epoch;
	mcp_envelope_set_epoch(copies->pending.data, epoch);
}

void mcp_copies_restamp(mcp_copies *copies, mcp_copies_write *write) {
	if (time_us(write->version.epoch) < copies->newest_us + MCP_DISTANCE_OVERWRITE) {
		set_epoch(copies, write, mcp_copies_stamp(copies));
	}
}

void mcp_copies_stamp_made(mcp_copies *copies, mcp_copies_write *write, uint64_t place) {
	mcp_stamp_distance distance = write->carries_old ? MCP_DISTANCE_CARRIED : MCP_DISTANCE_MADE;
	set_epoch(copies, write, mcp_copies_date(copies, place, distance));
}

void mcp_copies_stamp_result(mcp_copies *copies, mcp_copies_write *write, const mcp_copy *over) {
	uint64_t at_us = mcp_version_place_us(&over->version) + MCP_DISTANCE_CARRIED;
	bool is_own = over->newest_election == write->version.election;
	if (is_own && over->claimed_us > at_us) {
		at_us = over->claimed_us;
	}
	set_epoch(copies, write, make_stamp(copies, at_us));
}

bool mcp_copies_is_after(const mcp_copies_write *write, const mcp_version *version) {
	return version->epoch == write->version.epoch ||
		time_us(version->epoch) > mcp_version_place_us(&write->version);
}

/* --- reading single copies, and combining the results --- */

unsigned mcp_copies_count(const mcp_copies *copies) {
	size_t servers = mcp_store_member_count(copies->store.beneath);
	return servers < copies->wanted ? (unsigned)servers : copies->wanted;
}

uint64_t mcp_copies_claim_hash(const mcp_envelope *envelope) {
	uint64_t mark = envelope->newest_election;
	if (envelope->has_claim) {
		mark = mark * MCP_GOLDEN_FACTOR + envelope->claim_token;
		mark = mark * MCP_GOLDEN_FACTOR + envelope->claim_end_ms;
	}
	if (envelope->has_failure) {
		mark = mark * MCP_GOLDEN_FACTOR + envelope->failures;
		mark = mark * MCP_GOLDEN_FACTOR + envelope->pause_end_ms;
	}
	return mark;
}

static void weigh_item(mcp_copies *copies, const mcp_key *key, mcp_copy *copy) {
	mcp_envelope envelope;
	if (!mcp_envelope_decode(copy->item.value, copy->item.flags, key->fingerprint, &envelope,
			&copy->payload)) {
		copy->state = MCP_COPY_ODD;
		return;
	}
	copy->state = envelope.is_tombstone ? MCP_COPY_TOMBSTONE
		: envelope.has_value            ? MCP_COPY_VALUE
										: MCP_COPY_PLACEHOLDER;
	copy->version = (mcp_version){
		.epoch = envelope.epoch,
		.created_ms = envelope.created_ms,
		.election = envelope.value_election,
	};
	copy->has_claim = envelope.has_claim;
	copy->claim_token = envelope.has_claim ? envelope.claim_token : 0;
	copy->claim_hash = mcp_copies_claim_hash(&envelope);
	copy->newest_election = envelope.newest_election;
	copy->claimed_us = claimed_us_of(&envelope);
	copy->place_us = place_of(&envelope, copy->claimed_us);
	copy->ends = mcp_ends_of(&envelope);
	copies->newest_us = copy->place_us > copies->newest_us ? copy->place_us : copies->newest_us;
}

/* Store the reply of the copy's server, and decode the item. */
static void weigh(mcp_copies *copies, const mcp_key *key, mcp_status status, const mcp_item *item,
	mcp_copy *copy) {
	copy->status = status;
	copy->item = (mcp_item){.value = mcp_bytes_none()};
	copy->version = (mcp_version){.epoch = 0};
	copy->has_claim = false;
	copy->claim_token = copy->claim_hash = copy->claimed_us = copy->place_us = 0;
	copy->newest_election = 0;
	copy->ends = (mcp_ends){.soft_ms = 0};
	if (status == MCP_OK) {
		copy->item = *item;
		weigh_item(copies, key, copy);
	} else {
		copy->state = status == MCP_NOT_FOUND ? MCP_COPY_ABSENT : MCP_COPY_UNREACHED;
	}
}

void mcp_copies_read_one(mcp_copies *copies, const mcp_key *key, unsigned index, mcp_copy *copy) {
	mcp_item item;
	copy->index = index;
	copy->store = mcp_store_candidate(copies->store.beneath, key, index);
	mcp_status status = mcp_store_get(copy->store, key, &item);
	weigh(copies, key, status, &item, copy);
}

bool mcp_copies_is_alive(const mcp_copies *copies, const mcp_copy *copy) {
	return copy->state == MCP_COPY_VALUE && copy->ends.hard_ms > mcp_wall_ms(copies->host);
}

static void take_copy(const mcp_copies *copies, mcp_found *found, const mcp_copy *copy) {
	if (copy->state == MCP_COPY_UNREACHED) {
		found->failure = found->failure == MCP_OK ? copy->status : found->failure;
		return;
	}
	found->reached++;
	found->newest_us = copy->place_us > found->newest_us ? copy->place_us : found->newest_us;
	if (!found->has_first) {
		found->has_first = true;
		found->first = *copy;
	}
	if (!mcp_copies_is_alive(copies, copy) && copy->state != MCP_COPY_TOMBSTONE) {
		return;
	}
	if (!found->has_answer || mcp_version_compare(&copy->version, &found->answer.version) > 0) {
		found->has_answer = true;
		found->answer = *copy;
	}
	/* Whether this copy's answer is final. A suspect copy must first be compared with another copy (D4). If
	 * copy 0 has lost its item, a tombstone is not final. The next copy may have a newer tombstone, so a
	 * claim based on this one would be too old. */
	bool is_first_or_value = copy->index == 0 || copy->state == MCP_COPY_VALUE;
	found->is_decided = is_first_or_value && !copy->item.is_suspect;
}

/* Whether the first copy has a newer expired value than the answer, or a claim on one. */
static bool is_later(const mcp_copy *first, const mcp_copy *answer) {
	if (first->state == MCP_COPY_PLACEHOLDER) {
		return first->has_claim && first->version.epoch > answer->version.epoch;
	}
	return first->state == MCP_COPY_VALUE &&
		mcp_version_compare(&first->version, &answer->version) > 0;
}

/* Choose the copy to return, on which callers are also elected; NULL if no copy was reached. Without a value
 * to serve, choose the first copy, because other callers look for claims there (D6). A value there that is
 * older than a tombstone elsewhere counts as a miss. */
static const mcp_copy *choose(const mcp_found *found) {
	bool is_served = found->has_answer && found->answer.state == MCP_COPY_VALUE;
	/* The value of the first copy is suspect, so the answer wins. */
	bool is_first_doubtful =
		found->has_answer && found->first.state == MCP_COPY_VALUE && found->first.item.is_suspect;
	if ((is_served && !is_later(&found->first, &found->answer)) || is_first_doubtful) {
		return &found->answer;
	}
	return found->has_first ? &found->first : NULL;
}

static mcp_status answer_with(const mcp_found *found, mcp_item *item) {
	const mcp_copy *chosen = choose(found);
	if (chosen == NULL) {
		return found->failure;
	}
	*item = chosen->item;
	item->is_suspect = chosen->item.is_suspect && found->reached < 2;
	return chosen->status;
}

void mcp_copies_forget(mcp_copies *copies) {
	copies->newest_us = 0;
	mcp_buffer_clear(&copies->memos);
}

static void remember(mcp_copies *copies, const mcp_key *key, const mcp_found *found) {
	const mcp_copy *chosen = choose(found);
	if (chosen == NULL) {
		return;
	}
	mcp_copies_memo memo = {
		.fingerprint = key->fingerprint,
		.copy = *chosen,
		.newest_us = found->newest_us,
		.has_all = found->failure == MCP_OK,
	};
	memo.copy.store = NULL;
	memo.copy.item = (mcp_item){.value = mcp_bytes_none()};
	memo.copy.payload = mcp_bytes_none();
	/* If memory is exhausted, the key counts as not read. */
	mcp_buffer_append(&copies->memos, mcp_bytes_of((const char *)&memo, sizeof(memo)));
}

const mcp_copies_memo *mcp_copies_recall(const mcp_copies *copies, uint64_t fingerprint) {
	const mcp_copies_memo *memos = (const void *)copies->memos.data;
	size_t count = copies->memos.length / sizeof(*memos);
	for (size_t i = 0; i < count; i++) {
		if (memos[i].fingerprint == fingerprint) {
			return &memos[i];
		}
	}
	return NULL;
}

/* Copy the value, because a write reads into the same buffer and would invalidate the caller's view. */
static bool keep_value(mcp_copies *copies, mcp_bytes *value) {
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

/* Add a placeholder for one lease: if this process crashes, the placeholder blocks copy 0 only until the
 * lease expires. */
static bool place(mcp_copies *copies, const mcp_key *key, const mcp_found *found) {
	uint64_t now_ms = mcp_wall_ms(copies->host);
	mcp_envelope envelope = {
		.key_fingerprint = key->fingerprint,
		.created_ms = now_ms,
		.soft_ms = now_ms,
		.hard_ms = now_ms,
		.epoch = mcp_copies_date(copies, found->newest_us, MCP_DISTANCE_CARRIED),
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

/* Whether copy 0 is free for a repair. Keep the placeholder of an election, whose result will be stored
 * there, and an item that is not an envelope: it may be a newer value of another client. */
static bool is_free(const mcp_copy *home) {
	bool is_unclaimed = home->state == MCP_COPY_PLACEHOLDER && !home->has_claim;
	return home->index == 0 && (home->state == MCP_COPY_ABSENT || is_unclaimed);
}

/* TTL of the item in memcached, 0: never. Includes the leases that an election adds. */
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

/* Store a placeholder on copy 0, and then read found->answer again. Returns false on failure. */
static bool prepare(mcp_copies *copies, const mcp_key *key, mcp_found *found, mcp_copy *home) {
	mcp_copy source;
	if (!keep_value(copies, &found->answer.item.value) || !place(copies, key, found)) {
		return false;
	}
	mcp_copies_read_one(copies, key, 0, home);
	mcp_copies_read_one(copies, key, found->answer.index, &source);
	if (source.state != MCP_COPY_UNREACHED) {
		/* If this read finds no value, another writer has replaced or deleted it. Return this reading. */
		found->answer = source;
	}
	return is_free(home) && home->status == MCP_OK && mcp_copies_is_alive(copies, &source);
}

/* If copy 0 is empty and `found->answer` has a value, try to restore it there (D2). The result remains
 * found->answer. Store the placeholder first, and read the value afterwards. If that read misses a newer
 * version, the version's writer finds the placeholder when it reads copy 0 last, or has already removed the
 * placeholder (D2, D3). */
static void repair(mcp_copies *copies, const mcp_key *key, mcp_found *found) {
	bool has_value = found->has_answer && found->answer.state == MCP_COPY_VALUE;
	if (!has_value || !is_free(&found->first)) {
		return;
	}
	mcp_copy home = found->first;
	bool is_absent = home.state == MCP_COPY_ABSENT;
	if (!is_absent || prepare(copies, key, found, &home)) {
		/* The compare-and-swap fails if copy 0 has changed since the value was read. */
		mcp_copies_put_back(copies, key, &home, &found->answer);
	}
}

mcp_status mcp_copies_get(mcp_store *store, const mcp_key *key, mcp_item *item) {
	mcp_copies *copies = mcp_copies_of(store);
	mcp_found found = {.failure = MCP_OK};
	mcp_copy copy;
	mcp_copies_forget(copies);
	for (unsigned i = 0; i < mcp_copies_count(copies) && !found.is_decided; i++) {
		mcp_copies_read_one(copies, key, i, &copy);
		take_copy(copies, &found, &copy);
	}
	repair(copies, key, &found);
	remember(copies, key, &found);
	mcp_status status = answer_with(&found, item);
	if (status == MCP_OK) {
		return keep_value(copies, &item->value) ? MCP_OK : MCP_UNREACHABLE;
	}
	return status;
}

/* --- reading many keys --- */

/* First copies take 1 round trip per server. The next pass reads the next copy of the remaining keys, and so on.
 * Values of a pass are copied, because the next pass or a write may use the same server. */

#define NOT_KEPT SIZE_MAX

typedef struct sought {
	mcp_found found;
	mcp_store *asked;           /* server to read from in this pass; NULL: none */
	size_t first_at, answer_at; /* offsets of the copied values */
	size_t place;               /* index of the key of the wanted op with this index */
} sought;

typedef struct hunt {
	mcp_copies *copies;
	mcp_op *const *ops;
	size_t count;
	unsigned pass;
	sought *sought;
	mcp_op **wanted; /* ops for the current server */
} hunt;

static void turn_to_pass(hunt *all) {
	for (size_t i = 0; i < all->count; i++) {
		bool is_open = !all->sought[i].found.is_decided;
		all->sought[i].asked = is_open
			? mcp_store_candidate(all->copies->store.beneath, all->ops[i]->key, all->pass)
			: NULL;
	}
}

/* List the keys that are on the same server as the first unread key. Returns their number. */
static size_t list_next(hunt *all, mcp_store **server) {
	size_t listed = 0;
	*server = NULL;
	for (size_t i = 0; i < all->count; i++) {
		mcp_store *asked = all->sought[i].asked;
		if (asked == NULL || (*server != NULL && asked != *server)) {
			continue;
		}
		*server = asked;
		all->sought[i].asked = NULL;
		all->wanted[listed] = all->ops[i];
		all->sought[listed++].place = i;
	}
	return listed;
}

static void take_reply(hunt *all, size_t place, mcp_store *server) {
	const mcp_op *op = all->ops[place];
	mcp_copy copy = {.store = server, .index = all->pass};
	weigh(all->copies, op->key, op->status, &op->item, &copy);
	sought *one = &all->sought[place];
	take_copy(all->copies, &one->found, &copy);
	if (one->found.has_answer && one->found.answer.index == all->pass) {
		one->answer_at = NOT_KEPT; /* discard the copy kept in a previous pass */
	}
}

static void ask_servers(hunt *all) {
	mcp_store *server;
	for (size_t listed; (listed = list_next(all, &server)) > 0;) {
		mcp_store_run(server, all->wanted, listed);
		for (size_t i = 0; i < listed; i++) {
			take_reply(all, all->sought[i].place, server);
		}
	}
}

/* Keep an offset, because the buffer may move. */
static bool keep_many(mcp_buffer *kept, const mcp_copy *copy, size_t *at) {
	if (*at != NOT_KEPT || copy->item.value.length == 0) {
		return true;
	}
	*at = kept->length;
	return mcp_buffer_append(kept, copy->item.value);
}

static bool keep_all(hunt *all) {
	for (size_t i = 0; i < all->count; i++) {
		sought *one = &all->sought[i];
		bool is_kept = !one->found.has_first ||
			keep_many(&all->copies->kept, &one->found.first, &one->first_at);
		is_kept = is_kept &&
			(!one->found.has_answer ||
				keep_many(&all->copies->kept, &one->found.answer, &one->answer_at));
		if (!is_kept) {
			return false;
		}
	}
	return true;
}

static void show_kept(const hunt *all, mcp_copy *copy, size_t at) {
	if (at != NOT_KEPT) {
		copy->item.value.data = all->copies->kept.data + at;
	}
}

static bool search(hunt *all) {
	for (size_t i = 0; i < all->count; i++) {
		all->sought[i].first_at = all->sought[i].answer_at = NOT_KEPT;
	}
	for (; all->pass < mcp_copies_count(all->copies); all->pass++) {
		turn_to_pass(all);
		ask_servers(all);
		if (!keep_all(all)) {
			return false;
		}
	}
	return true;
}

static void answer_all(hunt *all) {
	for (size_t i = 0; i < all->count; i++) {
		sought *one = &all->sought[i];
		show_kept(all, &one->found.first, one->first_at);
		show_kept(all, &one->found.answer, one->answer_at);
		mcp_op *op = all->ops[i];
		remember(all->copies, op->key, &one->found);
		op->status = answer_with(&one->found, &op->item);
	}
}

void mcp_copies_get_many(mcp_store *store, mcp_op *const *ops, size_t count) {
	mcp_copies *copies = mcp_copies_of(store);
	hunt all = {.copies = copies, .ops = ops, .count = count};
	all.sought = calloc(count, sizeof(*all.sought));
	all.wanted = calloc(count, sizeof(*all.wanted));
	mcp_copies_forget(copies);
	mcp_buffer_clear(&copies->kept);
	if (all.sought != NULL && all.wanted != NULL && search(&all)) {
		answer_all(&all);
	} else {
		mcp_ops_answer(ops, count, MCP_UNREACHABLE);
	}
	free(all.sought);
	free(all.wanted);
}
