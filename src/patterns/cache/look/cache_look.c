/* Reads one or many keys: the value, its running number and its tags in one lookup. */
/* SPDX-License-Identifier: MIT */
#include "cache_look.h"

#include "../../../core/compiler.h"
#include "../../../core/bytes.h"
#include "../../../core/key/key.h"
#include "../../../store/store.h"
#include "../entry/cache_meter.h"
#include "../entry/cache_envelope.h"
#include "../entry/cache_tags.h"
#include "cache_near.h"

#include <stdlib.h>

/* There can be several frozen marks: from several processes, or from a process that froze twice. */
static mcp_bytes without_marks(mcp_bytes value) {
	while (value.length > 0 && value.data[0] == MCP_CACHE_FROZEN_MARK[0]) {
		value = mcp_bytes_of(value.data + 1, value.length - 1);
	}
	return value;
}

/* Show the running number in its entry. The envelope must have been read after the number. If the number is evicted
 * or has another epoch, the envelope's number is shown. */
static void show_number(mcp_cache_entry *entry, mcp_status status, const mcp_item *side) {
	if (!entry->has_value || !entry->envelope.has_counter) {
		return;
	}
	if (mcp_status_is_failure(status)) {
		/* The envelope's number can be older than this reader's own increments. */
		*entry = (mcp_cache_entry){.freshness = MCP_COLD, .trouble = status};
		return;
	}
	if (status != MCP_OK) {
		return;
	}
	entry->running = MCP_RUNNING_ANOTHER;
	entry->running_cas = side->cas;
	if (side->flags != entry->envelope.counter_epoch) {
		return;
	}
	mcp_bytes digits = without_marks(side->value);
	bool has_ended = digits.length < side->value.length;
	digits = mcp_decimal_trim(digits);
	uint64_t number;
	if (mcp_decimal_parse_u64(digits, &number) && number <= INT64_MAX) {
		entry->payload = digits;
		entry->running = has_ended ? MCP_RUNNING_FROZEN : MCP_RUNNING_ON;
	}
}

/* --- lookup of a value with tags: value first, then its tags, in one multi-get (T6) --- */

/* The opposite order would also be safe, but an invalidation in between would cause a needless election. */

typedef struct closer_read {
	const mcp_cache *cache;
	const mcp_key *key;
	/* the running number; its key is made when it is requested, see `has_side` */
	mcp_cache_side *side;
	bool has_side;
	size_t count;                 /* number of tags */
	const uint64_t *fingerprints; /* the cache's own fingerprints, or in a buffer */
	mcp_cache_tag_found *found;   /* results in a buffer */
	void *memory;                 /* large buffer; NULL if the small buffers are sufficient */
	uint64_t few_fingerprints[MCP_CACHE_TAGS_FEW];
	mcp_cache_tag_found few_found[MCP_CACHE_TAGS_FEW];
} closer_read;

/* Unused fields are not cleared, because that would slow down hits. */
static void begin_closer_read(closer_read *closer, const mcp_cache *cache, const mcp_key *key,
	mcp_cache_side *side) {
	closer->cache = cache;
	closer->key = key;
	closer->side = side;
	closer->has_side = false;
	closer->count = 0;
	closer->found = closer->few_found;
	closer->memory = NULL;
}

static void end_closer_read(closer_read *closer) {
	if (closer->memory != NULL) {
		free(closer->memory);
	}
}

/* Reserve buffers for the fingerprints and results of `count` tags. Returns NULL if memory is exhausted. */
static uint64_t *reserve(closer_read *closer, size_t count) {
	if (count <= MCP_CACHE_TAGS_FEW) {
		return closer->few_fingerprints;
	}
	end_closer_read(closer);
	closer->memory = malloc(count * (sizeof(*closer->fingerprints) + sizeof(*closer->found)));
	closer->found = closer->memory;
	return closer->memory != NULL ? (uint64_t *)(closer->found + count) : NULL;
}

static void want(closer_read *closer, uint64_t *scratch, uint64_t fingerprint) {
	for (size_t i = 0; i < closer->count; i++) {
		if (scratch[i] == fingerprint) {
			return;
		}
	}
	scratch[closer->count++] = fingerprint;
}

/* Make a list of the cache's tags with room for others. Returns NULL if memory is exhausted. */
static uint64_t *begin_list(closer_read *closer, size_t others) {
	const mcp_cache_tags *own = closer->cache->tags;
	closer->count = own != NULL ? mcp_cache_tags_names(own) : 0;
	uint64_t *scratch = reserve(closer, closer->count + others);
	if (scratch != NULL && closer->count > 0) {
		memcpy(scratch, own->fingerprints, closer->count * sizeof(*scratch));
	}
	closer->fingerprints = scratch;
	return scratch;
}

static void want_number(closer_read *closer) {
	closer->side->key = mcp_key_side(&closer->side->buffer, closer->key);
	closer->has_side = true;
}

static bool want_guessed(closer_read *closer, const mcp_read_guess *guess, bool shows_number) {
	if (guess->has_counter && shows_number && !closer->has_side) {
		want_number(closer);
	}
	uint64_t *scratch = begin_list(closer, guess->tag_count);
	for (size_t i = 0; scratch != NULL && i < guess->tag_count; i++) {
		want(closer, scratch, guess->fingerprints[i]);
	}
	return scratch != NULL;
}

/* Request the cache's tags, and the number and tags that the value probably has. Returns false if memory is
 * exhausted. */
MCP_INLINED bool want_own(closer_read *closer, bool shows_number) {
	const mcp_cache_tags *own = closer->cache->tags;
	const mcp_read_guess *guess = mcp_cache_read_guess(closer->cache, closer->key);
	if (guess != NULL) {
		return want_guessed(closer, guess, shows_number);
	}
	if (own == NULL) {
		return true;
	}
	closer->count = mcp_cache_tags_names(own);
	closer->fingerprints = own->fingerprints;
	return reserve(closer, closer->count) != NULL;
}

/* Also request the value's tags that were not requested yet. The view `tags` ends with the next read. Returns false if
 * memory is exhausted. */
static bool want_others(closer_read *closer, mcp_bytes tags) {
	uint64_t *scratch = begin_list(closer, mcp_tags_count(tags));
	for (size_t i = 0; scratch != NULL && i < mcp_tags_count(tags); i++) {
		want(closer, scratch, mcp_tags_at(tags, i).fingerprint);
	}
	return scratch != NULL;
}

static const mcp_cache_tag_found *find_requested(const void *context, uint64_t fingerprint) {
	const closer_read *closer = context;
	for (size_t i = 0; i < closer->count; i++) {
		if (closer->fingerprints[i] == fingerprint) {
			return &closer->found[i];
		}
	}
	return NULL;
}

/* List reads of the tags from the op `at` on. */
static void list_tags(closer_read *closer, const mcp_cache_tag_scratch *scratch, size_t at) {
	for (size_t i = 0; i < closer->count; i++) {
		mcp_key *key = &scratch->keys[i];
		closer->found[i].changes =
			mcp_cache_near_tag_changes(closer->cache, closer->fingerprints[i]);
		*key = mcp_key_tag_beside(&scratch->buffers[i], closer->key, closer->fingerprints[i]);
		mcp_op_begin(&scratch->replies[at + i], MCP_OP_GET, key, NULL);
	}
}

static void take_tags(closer_read *closer, const mcp_op *replies) {
	for (size_t i = 0; i < closer->count; i++) {
		closer->found[i].status = replies[i].status;
		closer->found[i].number = mcp_cache_tag_number(&replies[i]);
	}
}

/* Order: side key, value, tags. */
static void request_with(closer_read *closer, const mcp_cache_tag_scratch *scratch,
	mcp_cache_entry *entry) {
	mcp_cache_side *side = closer->side;
	size_t asked = 0;
	if (closer->has_side) {
		mcp_op_begin(&scratch->replies[asked++], MCP_OP_GET, &side->key, NULL);
	}
	mcp_op *main = &scratch->replies[asked++];
	mcp_op_begin(main, MCP_OP_GET, closer->key, NULL);
	list_tags(closer, scratch, asked);
	mcp_store_run_all(closer->cache->store, scratch->replies, asked + closer->count);
	mcp_cache_judge(closer->cache, closer->key, main, entry);
	take_tags(closer, &scratch->replies[asked]);
	if (closer->has_side) {
		side->status = scratch->replies[0].status;
		side->item = scratch->replies[0].item;
	}
}

static void fail_entry(mcp_cache_entry *entry) {
	*entry = (mcp_cache_entry){.freshness = MCP_COLD, .trouble = MCP_UNREACHABLE};
}

/* Returns false, with the entry filled in, if memory is exhausted. */
static bool request_in_batch(closer_read *closer, mcp_cache_entry *entry) {
	mcp_cache_tag_scratch scratch;
	bool is_there = mcp_cache_tag_scratch_take(&scratch, closer->count + 2);
	if (is_there) {
		request_with(closer, &scratch, entry);
	} else {
		fail_entry(entry);
	}
	mcp_cache_tag_scratch_free(&scratch);
	return is_there;
}

static bool want_more(closer_read *closer, bool shows_number, mcp_cache_entry *entry) {
	if (!closer->has_side && shows_number && entry->envelope.has_counter) {
		want_number(closer);
	}
	bool is_there = want_others(closer, entry->envelope.tags);
	if (!is_there) {
		fail_entry(entry);
	}
	return is_there;
}

/* Whether the entry is judged completely. */
MCP_INLINED bool is_done(const closer_read *closer, bool shows_number, mcp_cache_entry *entry) {
	uint64_t *numbers = closer->cache->tags != NULL ? closer->cache->tags->numbers : NULL;
	if (!mcp_cache_judge_tags(closer->cache, entry, numbers, find_requested, closer)) {
		return false;
	}
	bool counts = entry->has_value && entry->envelope.has_counter;
	if (closer->has_side) {
		show_number(entry, closer->side->status, &closer->side->item);
	}
	return !counts || closer->has_side || !shows_number;
}

/* Read until the entry is completely checked. A key whose value gets other tags every time counts as a miss. */
MCP_INLINED void look_on(closer_read *closer, bool shows_number, mcp_cache_entry *entry) {
	for (int round = 0; round < MCP_CACHE_ROUNDS_MAX; round++) {
		if (!request_in_batch(closer, entry) || is_done(closer, shows_number, entry) ||
			!want_more(closer, shows_number, entry)) {
			return;
		}
	}
	*entry = (mcp_cache_entry){.freshness = MCP_COLD};
}

void mcp_cache_read_with_tags(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_side *side, mcp_cache_entry *entry) {
	closer_read closer;
	mcp_cache_side own;
	begin_closer_read(&closer, cache, key, side != NULL ? side : &own);
	closer.has_side = side != NULL;
	if (want_own(&closer, shows_number)) {
		look_on(&closer, shows_number, entry);
		mcp_cache_learn(cache, key, entry);
	} else {
		fail_entry(entry);
	}
	end_closer_read(&closer);
}

/* Complete an entry that was fetched without the cache's tags. */
static void complete_entry(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_entry *entry) {
	closer_read closer;
	mcp_cache_side side;
	begin_closer_read(&closer, cache, key, &side);
	if (want_more(&closer, shows_number, entry)) {
		look_on(&closer, shows_number, entry);
	}
	end_closer_read(&closer);
}

/* --- lookup of many values with tags or running numbers --- */

/* The multi-get of each server contains its values, and then each tag once. Memory is allocated per call. */

/* A tag on one server. */
typedef struct wanted {
	size_t owner; /* index of the server */
	uint64_t fingerprint;
	mcp_bytes route;   /* route of one of its values on the server */
	bool is_elsewhere; /* the route led to another server when the tag was read */
	mcp_cache_tag_found found;
} wanted;

typedef struct inquiry {
	const mcp_cache *cache;
	const mcp_cache_batch *batch;
	/* The servers in the order of the keys, because an order by addresses cannot be reproduced. */
	const mcp_store **owners;
	size_t owner_count;
	size_t owner; /* index of the server of the entry that is being checked */
	size_t wanted_count;
	wanted *wanted; /* sorted by server and fingerprint, unique */
	mcp_cache_tag_scratch *scratch;
} inquiry;

static int compare(const void *left, const void *right) {
	const wanted *a = left, *b = right;
	if (a->owner != b->owner) {
		return a->owner < b->owner ? -1 : 1;
	}
	return a->fingerprint < b->fingerprint ? -1 : a->fingerprint > b->fingerprint;
}

/* Returns the index of the key's server. */
static size_t owner_of(inquiry *asking, const mcp_key *key) {
	const mcp_store *owner = mcp_store_owner(asking->cache->store, key);
	size_t i = 0;
	while (i < asking->owner_count && asking->owners[i] != owner) {
		i++;
	}
	asking->owners[i] = owner;
	asking->owner_count += i == asking->owner_count;
	return i;
}

static const mcp_cache_tag_found *find_of_many(const void *context, uint64_t fingerprint) {
	const inquiry *asked = context;
	wanted sought = {.owner = asked->owner, .fingerprint = fingerprint};
	const wanted *at = asked->wanted_count == 0
		? NULL
		: bsearch(&sought, asked->wanted, asked->wanted_count, sizeof(wanted), compare);
	return at != NULL && !at->is_elsewhere ? &at->found : NULL;
}

static bool is_answerable(const mcp_cache_entry *entry) {
	return entry->trouble == MCP_OK;
}

/* Upper limit of the number of tags: the cache's per server, and the values' tags in later rounds, when they
 * are known. */
static size_t count_wanted(const inquiry *asking, size_t servers, bool is_again) {
	const mcp_cache_batch *batch = asking->batch;
	size_t own = asking->cache->tags != NULL ? mcp_cache_tags_names(asking->cache->tags) : 0;
	size_t count = own * (servers < batch->count ? servers : batch->count);
	for (size_t i = 0; is_again && i < batch->count; i++) {
		count += mcp_tags_count(batch->entries[i].envelope.tags);
	}
	return count;
}

static void want_of_many(inquiry *asking, size_t owner, const mcp_key *key, uint64_t fingerprint) {
	asking->wanted[asking->wanted_count++] = (wanted){
		.owner = owner,
		.fingerprint = fingerprint,
		.route = key->route,
		.found.changes = mcp_cache_near_tag_changes(asking->cache, fingerprint),
	};
}

/* Requests the cache's tags once on each server. */
static void want_own_of_many(inquiry *asking, size_t index) {
	const mcp_cache_tags *own = asking->cache->tags;
	const mcp_key *key = &asking->batch->keys[index];
	size_t known = asking->owner_count;
	size_t owner = owner_of(asking, key);
	for (size_t i = 0; own != NULL && owner == known && i < mcp_cache_tags_names(own); i++) {
		want_of_many(asking, owner, key, own->fingerprints[i]);
	}
}

static void want_of_entry(inquiry *asking, size_t index) {
	const mcp_key *key = &asking->batch->keys[index];
	size_t owner = owner_of(asking, key);
	mcp_bytes tags = asking->batch->entries[index].envelope.tags;
	for (size_t i = 0; i < mcp_tags_count(tags); i++) {
		want_of_many(asking, owner, key, mcp_tags_at(tags, i).fingerprint);
	}
}

/* Collect before the next read, which invalidates the entries' views. */
static void collect(inquiry *asking, bool is_again) {
	for (size_t i = 0; i < asking->batch->count; i++) {
		if (!is_again || is_answerable(&asking->batch->entries[i])) {
			want_own_of_many(asking, i);
		}
	}
	for (size_t i = 0; is_again && i < asking->batch->count; i++) {
		if (is_answerable(&asking->batch->entries[i])) {
			want_of_entry(asking, i);
		}
	}
	if (asking->wanted_count == 0) {
		return;
	}
	qsort(asking->wanted, asking->wanted_count, sizeof(wanted), compare);
	size_t kept = 1;
	for (size_t i = 1; i < asking->wanted_count; i++) {
		if (compare(&asking->wanted[kept - 1], &asking->wanted[i]) != 0) {
			asking->wanted[kept++] = asking->wanted[i];
		}
	}
	asking->wanted_count = kept;
}

static bool counts(const mcp_cache_entry *entry) {
	return entry->has_value && entry->envelope.has_counter;
}

/* Order: the values, each after its side key if it has a counter, then the tags. */
static size_t list_keys(inquiry *asking, bool is_again) {
	const mcp_cache_batch *batch = asking->batch;
	mcp_key *keys = asking->scratch->keys;
	size_t asked = 0;
	for (size_t i = 0; i < batch->count; i++) {
		const mcp_cache_entry *entry = &batch->entries[i];
		if (is_again && !is_answerable(entry)) {
			continue;
		}
		if (is_again && counts(entry)) {
			keys[asked++] = mcp_key_side(&batch->side_buffers[i], &batch->keys[i]);
		}
		keys[asked++] = batch->keys[i];
	}
	for (size_t i = 0; i < asking->wanted_count; i++) {
		const wanted *tag = &asking->wanted[i];
		keys[asked++] = mcp_key_tag(&asking->scratch->buffers[i], mcp_key_prefix(&batch->keys[0]),
			tag->fingerprint, tag->route);
	}
	return asked;
}

/* Buffer for the versions of the cache's tags, for this entry. */
static uint64_t *numbers_of(const inquiry *asked, size_t index) {
	const mcp_cache_tags *own = asked->cache->tags;
	return own != NULL ? asked->batch->tag_numbers + index * own->count : NULL;
}

static bool judge_inquired(inquiry *asked, size_t index, const mcp_op *side, const mcp_op *reply) {
	const mcp_cache_batch *batch = asked->batch;
	mcp_cache_entry *entry = &batch->entries[index];
	mcp_cache_judge(asked->cache, &batch->keys[index], reply, entry);
	asked->owner = owner_of(asked, &batch->keys[index]);
	if (!mcp_cache_judge_tags(asked->cache, entry, numbers_of(asked, index), find_of_many, asked)) {
		return false;
	}
	if (side != NULL) {
		show_number(entry, side->status, &side->item);
	}
	return side != NULL || !counts(entry);
}

/* Record the tag versions. With failover, a server can fail or recover during the read: the tags of its keys
 * then come from another server. */
static void note_tags(inquiry *asked, const mcp_key *keys, const mcp_op *replies) {
	for (size_t i = 0; i < asked->wanted_count; i++) {
		wanted *tag = &asked->wanted[i];
		tag->found.status = replies[i].status;
		tag->found.number = mcp_cache_tag_number(&replies[i]);
		tag->is_elsewhere = owner_of(asked, &keys[i]) != tag->owner;
	}
}

static bool read_all(inquiry *asking, bool is_again) {
	const mcp_cache_batch *batch = asking->batch;
	const mcp_cache_tag_scratch *scratch = asking->scratch;
	size_t asked = list_keys(asking, is_again);
	mcp_store_get_many(asking->cache->store, scratch->keys, asked, scratch->replies);
	const mcp_op *reply = scratch->replies;
	size_t first_tag = asked - asking->wanted_count;
	note_tags(asking, scratch->keys + first_tag, scratch->replies + first_tag);
	bool is_done = true;
	for (size_t i = 0; i < batch->count; i++) {
		mcp_cache_entry *entry = &batch->entries[i];
		const mcp_op *side = NULL;
		if (is_again && !is_answerable(entry)) {
			continue;
		}
		if (is_again && counts(entry)) {
			side = reply++;
		}
		is_done = judge_inquired(asking, i, side, reply++) && is_done;
	}
	return is_done;
}

/* Allocate buffers and collect the tags. Returns false if memory is exhausted. */
static bool prepare(inquiry *asking, bool is_again) {
	size_t servers = mcp_store_member_count(asking->cache->store);
	size_t most = count_wanted(asking, servers, is_again);
	asking->wanted = calloc(1, most * sizeof(wanted) + (servers + 1) * sizeof(*asking->owners));
	if (asking->wanted == NULL) {
		return false;
	}
	asking->owners = (const mcp_store **)(void *)(asking->wanted + most);
	collect(asking, is_again);
	return mcp_cache_tag_scratch_take(asking->scratch,
		2 * asking->batch->count + asking->wanted_count);
}

static void give_up(const mcp_cache_batch *batch, mcp_status status) {
	for (size_t i = 0; i < batch->count; i++) {
		mcp_cache_entry *entry = &batch->entries[i];
		*entry = (mcp_cache_entry){
			.freshness = MCP_COLD,
			.trouble = status,
			.tag_numbers = status == MCP_OK ? entry->tag_numbers : NULL,
		};
	}
}

/* Read many keys if the cache or some values have tags, or some have a running number (I2). `is_again`: the
 * entries have been read. All are read again, because a second reply invalidates the views of the first. Failed
 * entries are not read again, because it is unknown whether they have a running number. */
static void read_many_with_tags(const mcp_cache *cache, const mcp_cache_batch *batch,
	bool is_again) {
	bool is_done = batch->count == 0;
	for (int round = 0; !is_done && round < MCP_CACHE_ROUNDS_MAX; round++) {
		mcp_cache_tag_scratch scratch;
		inquiry asking = {.cache = cache, .batch = batch, .scratch = &scratch};
		scratch.memory = NULL;
		bool is_prepared = prepare(&asking, is_again);
		is_done = is_prepared && read_all(&asking, is_again);
		free(asking.wanted);
		mcp_cache_tag_scratch_free(&scratch);
		if (!is_prepared) {
			give_up(batch, MCP_UNREACHABLE);
			return;
		}
		is_again = true;
	}
	if (!is_done) {
		give_up(batch, MCP_OK);
	}
}

static void share(const mcp_cache *cache, const mcp_cache_entry *from, mcp_cache_entry *to) {
	if (cache->tags != NULL && from->tag_numbers != NULL && to->tag_numbers != NULL) {
		memcpy(to->tag_numbers, from->tag_numbers, cache->tags->count * sizeof(*from->tag_numbers));
	}
}

void mcp_cache_share_tags(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index) {
	const mcp_cache_entry *entry = &batch->entries[index];
	const mcp_store *owner = mcp_store_owner(cache->store, &batch->keys[index]);
	for (size_t i = index + 1; i < batch->count; i++) {
		if (mcp_store_owner(cache->store, &batch->keys[i]) == owner) {
			share(cache, entry, &batch->entries[i]);
		}
	}
}

void mcp_cache_capture_among(const mcp_cache *cache, const mcp_cache_batch *batch, size_t index,
	mcp_captured_tags *captured) {
	mcp_cache_entry *entry = &batch->entries[index];
	bool lacks_tags = entry->trouble == MCP_OK && !mcp_cache_knows_tags(cache, entry);
	mcp_cache_capture_after_read(cache, &batch->keys[index], entry, captured);
	if (lacks_tags && entry->trouble == MCP_OK) {
		mcp_cache_share_tags(cache, batch, index);
	}
}

static inline bool is_tagged(const mcp_cache_entry *entry) {
	return entry->envelope.tags.length > 0;
}

/* True if the value's tags or running number must also be read. */
static inline bool is_incomplete(const mcp_cache_entry *entry) {
	return entry->has_value && (entry->envelope.has_counter || is_tagged(entry));
}

MCP_INLINED void look(const mcp_cache *cache, const mcp_key *key, bool shows_number,
	mcp_cache_entry *entry) {
	if (cache->tags != NULL) {
		mcp_cache_read_with_tags(cache, key, shows_number, NULL, entry);
		return;
	}
	mcp_cache_fetch(cache, key, entry);
	if (is_incomplete(entry) && (shows_number || is_tagged(entry))) {
		complete_entry(cache, key, shows_number, entry);
	}
}

void mcp_cache_examine(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	look(cache, key, false, entry);
}

void mcp_cache_observe(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	look(cache, key, true, entry);
}

/* This number of own tags is sent in one batch with the guessed tags, and needs no allocation. */
#define OWN_TAGS_MAX (MCP_STEPS_MAX - 2 - MCP_READ_GUESS_TAGS_MAX)

/* Send the write, then a read of the key if `reads_key`, then reads of the tags. */
static void send_and_read(closer_read *closer, mcp_op *write, bool reads_key,
	mcp_cache_tag_scratch *scratch) {
	mcp_op *steps = scratch->replies;
	size_t asked = 0;
	steps[asked++] = *write;
	if (reads_key) {
		mcp_op_begin(&steps[asked++], MCP_OP_GET, write->key, NULL);
	}
	list_tags(closer, scratch, asked);
	mcp_store_steps_at_once(closer->cache->store, steps, asked + closer->count);
	write->status = steps[0].status;
	take_tags(closer, &steps[asked]);
}

/* Returns false if the reply is not complete. */
static bool judge_read(const closer_read *closer, const mcp_op *reply, mcp_cache_entry *entry) {
	if (mcp_status_is_failure(reply->status)) {
		return false;
	}
	mcp_cache_judge(closer->cache, closer->key, reply, entry);
	return is_done(closer, false, entry);
}

bool mcp_cache_write_and_read(const mcp_cache *cache, mcp_op *write, mcp_bytes tags,
	mcp_cache_entry *entry, mcp_captured_tags *now) {
	closer_read closer;
	mcp_cache_tag_scratch scratch;
	begin_closer_read(&closer, cache, write->key, NULL);
	write->status = MCP_UNSUPPORTED;
	now->length = 0;
	if (cache->tags != NULL && mcp_cache_tags_names(cache->tags) > OWN_TAGS_MAX) {
		return false;
	}
	/* Neither can fail: OWN_TAGS_MAX own tags and MCP_READ_GUESS_TAGS_MAX guessed ones fit in the small buffers. */
	want_own(&closer, false);
	mcp_cache_tag_scratch_take(&scratch, closer.count + 2);
	send_and_read(&closer, write, entry != NULL, &scratch);
	uint64_t numbers[OWN_TAGS_MAX];
	bool are_current = true;
	for (unsigned i = 0; cache->tags != NULL && i < cache->tags->count; i++) {
		numbers[i] = closer.found[i].number;
		are_current &= i < mcp_tags_count(tags) && numbers[i] == mcp_tags_at(tags, i).number;
	}
	if (!are_current && !mcp_status_is_failure(write->status)) {
		mcp_cache_capture_found(cache, write->key, numbers, now);
	}
	bool matters = write->status == MCP_NOT_STORED || (write->status == MCP_OK && !are_current);
	if (entry != NULL && matters && !judge_read(&closer, &scratch.replies[1], entry)) {
		mcp_cache_examine(cache, write->key, entry);
	}
	return are_current;
}

void mcp_cache_hide_stale(const mcp_cache *cache, mcp_cache_entry *entry) {
	if (cache->is_strict && entry->freshness == MCP_STALE) {
		entry->has_value = false;
		entry->freshness = MCP_COLD;
		entry->verdict = MCP_VERDICT_MISS;
	}
}

static void read_there(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	mcp_cache_count(cache, key, entry);
}

void mcp_cache_read(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_read_nearest(cache, key, read_there, entry);
}

static void peek_there(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_observe(cache, key, entry);
	mcp_cache_hide_stale(cache, entry);
	mcp_cache_count(cache, key, entry);
}

void mcp_cache_peek(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_cache_read_nearest(cache, key, peek_there, entry);
}

/* False: the caller must read in another way. */
static bool look_by_step(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry,
	mcp_proof *proof) {
	mcp_op step;
	mcp_op_begin(&step, MCP_OP_GET, key, NULL);
	mcp_store_steps_at_once(cache->store, &step, 1);
	if (mcp_status_is_failure(step.status)) {
		return false;
	}
	mcp_cache_judge(cache, key, &step, entry);
	if (is_incomplete(entry)) {
		complete_entry(cache, key, true, entry);
	} else {
		*proof = step.read;
	}
	return true;
}

void mcp_cache_peek_to_update(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry,
	mcp_proof *proof) {
	*proof = (mcp_proof){0};
	if (cache->near == NULL && cache->tags == NULL && look_by_step(cache, key, entry, proof)) {
		mcp_cache_hide_stale(cache, entry);
		mcp_cache_count(cache, key, entry);
	} else {
		mcp_cache_peek(cache, key, entry);
	}
}

static MCP_SELDOM void read_more(const mcp_cache *cache, const mcp_cache_batch *batch) {
	bool has_more = false;
	for (size_t i = 0; i < batch->count; i++) {
		const mcp_cache_entry *entry = &batch->entries[i];
		has_more |= is_incomplete(entry);
	}
	if (has_more) {
		read_many_with_tags(cache, batch, true);
	}
}

void mcp_cache_read_many(const mcp_cache *cache, const mcp_cache_batch *batch) {
	if (cache->tags != NULL) {
		read_many_with_tags(cache, batch, false);
		return;
	}
	mcp_store_get_many(cache->store, batch->keys, batch->count, batch->replies);
	if (mcp_cache_judge_many(cache, batch)) {
		read_more(cache, batch);
	}
}

void mcp_cache_peek_many(const mcp_cache *cache, const mcp_cache_batch *batch) {
	mcp_cache_read_many(cache, batch);
	for (size_t i = 0; cache->is_strict && i < batch->count; i++) {
		mcp_cache_hide_stale(cache, &batch->entries[i]);
	}
}

/* Epoch and election identify a value: every change of the key has a new epoch, every rebuild a new
 * election. */

/* Whether the item has only been changed by elections since it was served. */
static bool has_its_epoch(const mcp_cache_entry *entry, const mcp_served *served) {
	return entry->trouble == MCP_OK && entry->has_value && !entry->is_suspect &&
		!entry->envelope.is_tombstone && !entry->envelope.has_counter &&
		entry->envelope.epoch == served->facts.epoch;
}

mcp_standing mcp_cache_standing(const mcp_cache *cache, const mcp_key *key, mcp_served *served) {
	mcp_cache_statistics nowhere;
	mcp_cache uncounted = *cache;
	uncounted.statistics = &nowhere;
	uncounted.meter = NULL;
	uncounted.near = NULL;
	mcp_cache_entry entry;
	mcp_cache_examine(&uncounted, key, &entry);
	if (!has_its_epoch(&entry, served)) {
		return MCP_STANDING_NO;
	}
	served->is_tagged = served->is_tagged || entry.envelope.tags.length > 0;
	bool is_it = entry.envelope.value_election == served->facts.election;
	if (is_it && entry.freshness == MCP_FRESH) {
		return entry.opening == MCP_OPENING_CLAIMED ? MCP_STANDING_BUSY : MCP_STANDING_YES;
	}
	/* It can no longer be determined whether tags invalidated the value. */
	return served->is_tagged ? MCP_STANDING_NO : MCP_STANDING_ENDED;
}

uint64_t mcp_served_age_ms(const mcp_served *served, uint64_t served_ms) {
	uint64_t stored_ms = served->facts.created_ms;
	uint64_t age_ms = served_ms > stored_ms ? served_ms - stored_ms : 0;
	return age_ms + served->facts.compute_ms;
}
