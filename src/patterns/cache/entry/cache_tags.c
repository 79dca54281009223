/* Creates, captures and changes tag versions (T1 to T4). A tag has a version on each server, for the values on this
 * server. */
/* SPDX-License-Identifier: MIT */
#include "cache_tags.h"

#include "../../../core/bytes.h"
#include "../../../core/key/key.h"
#include "cache_meter.h"

/* --- merging the tag versions of several reads of one key --- */

/* Each tag keeps the version to store with the next value (T7). This is the version of the first read, because a
 * later version would hide an invalidation in between. Only a miss replaces it, and only if all previous reads
 * returned values, because then no caller can be computing. */

/* Number with bit 61, which is clear in every tag version. */
#define NEVER_VALID ((uint64_t)3 << 61)

/* Version of a tag that is not recorded: 0, or, if the record was full, a version with which no value is valid. */
static uint64_t unnoted_version(mcp_bytes noted) {
	return noted.length == MCP_READ_TAGS_MAX * MCP_TAG_LENGTH ? NEVER_VALID : 0;
}

mcp_read_gave mcp_cache_read_gave(const mcp_cache_entry *entry) {
	bool is_value = entry->has_value && entry->verdict != MCP_VERDICT_ELECTED;
	return is_value ? MCP_READ_GAVE_A_VALUE : MCP_READ_GAVE_NOTHING;
}

static void add_read_tag(mcp_read_tags *noted, mcp_tag tag) {
	if (noted->length == sizeof(noted->bytes)) {
		return;
	}
	tag.number = mcp_tag_is_known(tag.number) ? tag.number : NEVER_VALID;
	mcp_tag_write(noted->bytes + noted->length, tag);
	noted->length += MCP_TAG_LENGTH;
}

/* Whether the caller's computation begins at this read. If the caller holds a claim with another version, it might
 * have begun earlier. */
static bool begins_anew(const mcp_read_tags *noted, mcp_tag tag, const mcp_read_tags *held) {
	if (noted->stand || !mcp_tag_is_known(tag.number)) {
		return false;
	}
	if (held == NULL) {
		return true;
	}
	mcp_bytes claimed = mcp_read_tags_view(held);
	size_t place = mcp_tags_find(claimed, tag.fingerprint);
	return place < mcp_tags_count(claimed) && mcp_tags_at(claimed, place).number == tag.number;
}

void mcp_cache_note_tags(mcp_read_tags *noted, mcp_bytes later, mcp_read_gave gave,
	const mcp_read_tags *held) {
	for (size_t i = 0; i < mcp_tags_count(later); i++) {
		mcp_bytes before = mcp_read_tags_view(noted);
		mcp_tag tag = mcp_tags_at(later, i);
		size_t place = mcp_tags_find(before, tag.fingerprint);
		if (place == mcp_tags_count(before)) {
			add_read_tag(noted, tag);
		} else if (gave == MCP_READ_GAVE_NOTHING && begins_anew(noted, tag, held)) {
			mcp_tag_write(noted->bytes + place * MCP_TAG_LENGTH, tag);
		}
	}
	noted->stand = noted->stand || gave != MCP_READ_GAVE_A_VALUE;
}

void mcp_cache_note_invalidated(char *numbers, size_t length, mcp_tag left) {
	mcp_bytes noted = mcp_bytes_of(numbers, length);
	size_t place = mcp_tags_find(noted, left.fingerprint);
	if (place < mcp_tags_count(noted) && mcp_tag_is_known(left.number)) {
		mcp_tag_write(numbers + place * MCP_TAG_LENGTH, left);
	}
}

#define TAG_BIT ((uint64_t)1 << 62)
#define CARRY_BIT ((uint64_t)1 << 61)
#define COUNT_MASK (((uint64_t)1 << MCP_TAG_COUNT_BITS) - 1)

/* Number for an item that is not a tag version, under a tag's key. */
#define NOT_A_TAG 1

uint64_t mcp_cache_tag_number(const mcp_op *reply) {
	if (reply->status != MCP_OK) {
		return 0;
	}
	uint64_t number;
	bool is_number = mcp_decimal_parse_u64(reply->item.value, &number);
	return is_number && mcp_tag_is_known(number) ? number : NOT_A_TAG;
}

/* A version is random, and is sent only in one command, so that no version is ever reused (T3). */
static uint64_t new_number(const mcp_cache *cache) {
	uint64_t random = mcp_random_u64(cache->environment) & ~(COUNT_MASK | CARRY_BIT);
	return (random & (TAG_BIT - 1)) | TAG_BIT;
}

/* --- reading and writing tags --- */

bool mcp_cache_tag_scratch_allocate(mcp_cache_tag_scratch *scratch, size_t count) {
	size_t size = sizeof(*scratch->keys) + sizeof(*scratch->replies) + sizeof(*scratch->buffers);
	scratch->memory = malloc(count * size);
	if (scratch->memory == NULL) {
		return false;
	}
	scratch->keys = scratch->memory;
	scratch->replies = (mcp_op *)(scratch->keys + count);
	scratch->buffers = (mcp_key_buffer *)(scratch->replies + count);
	return true;
}

/* Maximum number of writes in one batch. */
#define TOGETHER_MAX 16

/* Writes of tags. Each write points to the elements of its own index. */
typedef struct tag_writes {
	size_t count;
	unsigned tags[TOGETHER_MAX];    /* index of the tag */
	uint64_t numbers[TOGETHER_MAX]; /* sent version */
	mcp_op writes[TOGETHER_MAX];
	mcp_key keys[TOGETHER_MAX];
	mcp_record records[TOGETHER_MAX];
	mcp_key_buffer buffers[TOGETHER_MAX];
	char digits[TOGETHER_MAX][MCP_DECIMAL_MAX_LENGTH];
} tag_writes;

static void add_tag_write(tag_writes *to, unsigned tag, const mcp_key *key, mcp_op_verb verb) {
	size_t i = to->count++;
	to->tags[i] = tag;
	to->keys[i] = *key;
	to->records[i] = (mcp_record){.flags = 0};
	to->writes[i] = (mcp_op){.verb = verb, .key = &to->keys[i], .record = &to->records[i], .by = 1};
}

/* Give a write a new version. */
static void renumber(tag_writes *writes, const mcp_cache *cache, size_t i) {
	writes->numbers[i] = new_number(cache);
	size_t length = mcp_decimal_format_u64(writes->numbers[i], writes->digits[i]);
	writes->records[i].body = mcp_bytes_of(writes->digits[i], length);
}

/* --- creating and capturing --- */

/* The status that takes precedence: a failure first, then MCP_NOT_STORED, which means that other callers also create
 * a tag. */
static mcp_status worse(mcp_status one, mcp_status other) {
	bool is_worse = mcp_status_is_failure(other) && !mcp_status_is_failure(one);
	return one == MCP_OK || is_worse ? other : one;
}

static mcp_status send(tag_writes *made, const mcp_cache *cache, uint64_t *numbers) {
	mcp_status status = MCP_OK;
	mcp_store_run_all(cache->store, made->writes, made->count);
	for (size_t i = 0; i < made->count; i++) {
		if (made->writes[i].status == MCP_OK) {
			numbers[made->tags[i]] = made->numbers[i];
		}
		status = worse(status, made->writes[i].status);
	}
	made->count = 0;
	return status;
}

/* Create the tags for which `verb` is used. With `add`, all concurrent creators get the same version. `set` replaces
 * items that are not tags, which at worst invalidates values. */
static mcp_status make(const mcp_cache *cache, const mcp_key *key, mcp_op_verb verb,
	uint64_t *numbers) {
	const mcp_cache_tags *tags = cache->tags;
	tag_writes made;
	made.count = 0;
	mcp_status status = MCP_OK;
	for (unsigned i = 0; i < tags->count && status == MCP_OK; i++) {
		bool is_replaced = numbers[i] == NOT_A_TAG;
		if (mcp_tag_is_known(numbers[i]) || is_replaced != (verb == MCP_OP_SET)) {
			continue;
		}
		mcp_key tag = mcp_key_tag_beside(&made.buffers[made.count], key, tags->fingerprints[i]);
		add_tag_write(&made, i, &tag, verb);
		renumber(&made, cache, made.count - 1);
		if (made.count == TOGETHER_MAX) {
			status = send(&made, cache, numbers);
		}
	}
	return worse(status, send(&made, cache, numbers));
}

static bool are_known(const mcp_cache_tags *tags, const uint64_t *numbers) {
	for (unsigned i = 0; i < tags->count; i++) {
		if (!mcp_tag_is_known(numbers[i])) {
			return false;
		}
	}
	return true;
}

/* Create all tags that are not known. MCP_NOT_STORED if other callers also create one of them. */
static mcp_status make_unknown(const mcp_cache *cache, const mcp_key *key, uint64_t *numbers) {
	if (are_known(cache->tags, numbers)) {
		return MCP_OK;
	}
	mcp_status status = make(cache, key, MCP_OP_ADD, numbers);
	return status == MCP_OK ? make(cache, key, MCP_OP_SET, numbers) : status;
}

static bool is_to_be_read(mcp_status status) {
	return status == MCP_NOT_STORED || status == MCP_UNKNOWN;
}

bool mcp_cache_knows_tags(const mcp_cache *cache, const mcp_cache_entry *entry) {
	return cache->tags == NULL ||
		(entry->tag_numbers != NULL && are_known(cache->tags, entry->tag_numbers));
}

/* Return the entry's buffer for the versions, and give the entry of a miss a buffer. */
static uint64_t *numbers_of(const mcp_cache *cache, mcp_cache_entry *entry) {
	if (entry->tag_numbers == NULL) {
		entry->tag_numbers = cache->tags->numbers;
		memset(entry->tag_numbers, 0, cache->tags->count * sizeof(*entry->tag_numbers));
	}
	return entry->tag_numbers;
}

mcp_status mcp_cache_make_tags(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	if (cache->tags == NULL) {
		return MCP_OK;
	}
	mcp_status status = make_unknown(cache, key, numbers_of(cache, entry));
	if (mcp_status_is_failure(status)) {
		/* Clear the CAS value, because the next call can use another connection. */
		entry->trouble = status;
		entry->cas = 0;
	}
	return is_to_be_read(status) ? MCP_EXISTS : status;
}

static mcp_status ask_for_tags(const mcp_cache *cache, const mcp_key *key, uint64_t *numbers,
	mcp_cache_tag_scratch *scratch) {
	const mcp_cache_tags *tags = cache->tags;
	size_t count = 0;
	for (unsigned i = 0; i < tags->count; i++) {
		if (!mcp_tag_is_known(numbers[i])) {
			scratch->keys[count] =
				mcp_key_tag_beside(&scratch->buffers[count], key, tags->fingerprints[i]);
			count++;
		}
	}
	if (count > 0) {
		mcp_store_get_many(cache->store, scratch->keys, count, scratch->replies);
	}
	const mcp_op *reply = scratch->replies;
	for (unsigned i = 0; i < tags->count; i++) {
		if (mcp_tag_is_known(numbers[i])) {
			continue;
		}
		if (mcp_status_is_failure(reply->status)) {
			return reply->status;
		}
		numbers[i] = mcp_cache_tag_number(reply++);
	}
	return MCP_OK;
}

/* Read the versions that are not known. */
static mcp_status read_unknown(const mcp_cache *cache, const mcp_key *key, uint64_t *numbers) {
	mcp_cache_tag_scratch scratch;
	if (!mcp_cache_tag_scratch_take(&scratch, cache->tags->count)) {
		return MCP_UNREACHABLE;
	}
	mcp_status status = ask_for_tags(cache, key, numbers, &scratch);
	mcp_cache_tag_scratch_free(&scratch);
	return status;
}

/* `numbers` NULL: no version is known. */
static void pack(const mcp_cache_tags *tags, const uint64_t *numbers, mcp_captured_tags *captured) {
	for (unsigned i = 0; i < tags->count; i++) {
		uint64_t number = numbers != NULL ? numbers[i] : 0;
		mcp_tag tag = {.fingerprint = tags->fingerprints[i], .number = number};
		mcp_tag_write(captured->bytes + (size_t)i * MCP_TAG_LENGTH, tag);
	}
}

/* Capture exactly the tags of a cache. */
static void capture_own(const mcp_cache_tags *tags, const uint64_t *numbers,
	mcp_captured_tags *captured) {
	captured->length = (size_t)tags->count * MCP_TAG_LENGTH;
	pack(tags, numbers, captured);
}

void mcp_cache_capture(const mcp_cache *cache, const mcp_cache_entry *entry,
	mcp_captured_tags *captured) {
	captured->length = 0;
	if (cache->tags != NULL) {
		capture_own(cache->tags, entry->tag_numbers, captured);
	}
}

bool mcp_cache_capture_kept(const mcp_cache *cache, const mcp_cache_entry *entry,
	mcp_captured_tags *captured) {
	mcp_cache_capture(cache, entry, captured);
	captured->signer = 0;
	mcp_bytes own = mcp_captured_tags_view(captured);
	size_t count = entry->has_value ? mcp_tags_count(entry->envelope.tags) : 0;
	for (size_t i = 0; i < count; i++) {
		mcp_tag tag = mcp_tags_at(entry->envelope.tags, i);
		if (mcp_tags_find(own, tag.fingerprint) < mcp_tags_count(own)) {
			continue;
		}
		if (captured->length == sizeof(captured->bytes)) {
			return false;
		}
		mcp_tag_write(captured->bytes + captured->length, tag);
		captured->length += MCP_TAG_LENGTH;
		captured->signer = entry->envelope.signer;
	}
	return true;
}

/* Complete the versions. Read a tag again if other callers also create it. Do not trust a version that was not
 * acknowledged: if the read does not find it, send a new version. */
static mcp_status complete(const mcp_cache *cache, const mcp_key *key, uint64_t *numbers) {
	mcp_status status = make_unknown(cache, key, numbers);
	for (int round = 0; is_to_be_read(status) && round < MCP_CACHE_ROUNDS_MAX; round++) {
		status = read_unknown(cache, key, numbers);
		status = status == MCP_OK ? make_unknown(cache, key, numbers) : status;
	}
	return status;
}

mcp_status mcp_cache_complete_capture(const mcp_cache *cache, const mcp_key *key,
	mcp_captured_tags *captured) {
	if (cache->tags == NULL) {
		return MCP_OK;
	}
	uint64_t numbers[MCP_ENVELOPE_TAGS_MAX];
	for (unsigned i = 0; i < cache->tags->count; i++) {
		numbers[i] = mcp_tags_at(mcp_captured_tags_view(captured), i).number;
	}
	mcp_status status = complete(cache, key, numbers);
	pack(cache->tags, numbers, captured);
	return status;
}

static uint64_t number_in(mcp_bytes tags, uint64_t fingerprint) {
	size_t place = mcp_tags_find(tags, fingerprint);
	return place < mcp_tags_count(tags) ? mcp_tags_at(tags, place).number : 0;
}

/* Whether `other` has exactly these tags. This is usual, because they were captured through the same view. */
static bool has_just_these(const mcp_cache_tags *tags, mcp_bytes other) {
	bool has = mcp_tags_count(other) == tags->count;
	for (unsigned i = 0; has && i < tags->count; i++) {
		mcp_tag tag = mcp_tags_at(other, i);
		has = tag.fingerprint == tags->fingerprints[i] && mcp_tag_is_known(tag.number);
	}
	return has;
}

/* Number of writes without guesses, after a server could not verify a guess. It will rarely be able to do so
 * later. */
#define UNGUESSED_WRITES 100

void mcp_cache_rest_from_guesses(const mcp_cache *cache, const mcp_key *key) {
	cache->tags->guesses->unbatched = mcp_store_owner(cache->store, key);
	cache->tags->guesses->unguessed_writes = UNGUESSED_WRITES;
}

/* Identifies a tag of the cache on the key's server. */
static uint64_t tag_on_server(const mcp_cache *cache, const mcp_key *key, unsigned index) {
	uint64_t server = (uintptr_t)mcp_store_owner(cache->store, key);
	return cache->tags->fingerprints[index] ^ server;
}

static mcp_tag_guess *guess_of(const mcp_cache *cache, const mcp_key *key, unsigned index) {
	return &cache->tags->guesses->tags[tag_on_server(cache, key, index) % MCP_TAG_GUESSES];
}

static void note_guesses(const mcp_cache *cache, const mcp_key *key, const uint64_t *numbers) {
	for (unsigned i = 0; cache->tags->guesses != NULL && i < cache->tags->count; i++) {
		*guess_of(cache, key, i) = (mcp_tag_guess){tag_on_server(cache, key, i), numbers[i]};
	}
}

mcp_status mcp_cache_capture_of(const mcp_cache *cache, const mcp_key *key, mcp_bytes other,
	mcp_captured_tags *captured) {
	captured->length = 0;
	if (cache->tags == NULL) {
		return MCP_OK;
	}
	if (has_just_these(cache->tags, other)) {
		captured->length = other.length;
		memcpy(captured->bytes, other.data, other.length);
		return MCP_OK;
	}
	uint64_t numbers[MCP_ENVELOPE_TAGS_MAX];
	for (unsigned i = 0; i < cache->tags->count; i++) {
		numbers[i] = number_in(other, cache->tags->fingerprints[i]);
		numbers[i] = numbers[i] != 0 ? numbers[i] : unnoted_version(other);
	}
	mcp_status status = read_unknown(cache, key, numbers);
	status = status == MCP_OK ? complete(cache, key, numbers) : status;
	capture_own(cache->tags, numbers, captured);
	note_guesses(cache, key, numbers);
	return status;
}

void mcp_cache_capture_found(const mcp_cache *cache, const mcp_key *key, const uint64_t *numbers,
	mcp_captured_tags *captured) {
	if (are_known(cache->tags, numbers)) {
		capture_own(cache->tags, numbers, captured);
		note_guesses(cache, key, numbers);
	}
}

bool mcp_cache_guess_tags(const mcp_cache *cache, const mcp_key *key, mcp_captured_tags *captured) {
	const mcp_cache_tags *tags = cache->tags;
	mcp_guesses *guesses = tags->guesses;
	if (guesses == NULL || mcp_cache_tags_names(tags) > MCP_TAG_GUESSES) {
		return false;
	}
	if (guesses->unguessed_writes > 0 && guesses->unbatched == mcp_store_owner(cache->store, key)) {
		guesses->unguessed_writes--;
		return false;
	}
	uint64_t numbers[MCP_TAG_GUESSES];
	for (unsigned i = 0; i < tags->count; i++) {
		const mcp_tag_guess *guess = guess_of(cache, key, i);
		bool is_it = guess->tag == tag_on_server(cache, key, i) && mcp_tag_is_known(guess->number);
		if (!is_it) {
			return false;
		}
		numbers[i] = guess->number;
	}
	capture_own(tags, numbers, captured);
	return true;
}

mcp_status mcp_cache_capture_now(const mcp_cache *cache, const mcp_key *key,
	mcp_captured_tags *captured) {
	return mcp_cache_capture_of(cache, key, mcp_bytes_none(), captured);
}

void mcp_cache_capture_after_read(const mcp_cache *cache, const mcp_key *key,
	mcp_cache_entry *entry, mcp_captured_tags *captured) {
	if (entry->trouble == MCP_OK) {
		mcp_cache_make_tags(cache, key, entry);
	} else {
		entry->tag_numbers = NULL;
	}
	mcp_cache_capture(cache, entry, captured);
}

/* --- invalidating --- */

/* Writes of tags to one server in one batch. */
typedef struct telling {
	mcp_store *server;
	tag_writes next;
	mcp_op *listed[TOGETHER_MAX];
} telling;

/* Send the writes for at most `most` names, from index `from` on: all names of a tag before those of the next. */
static void tell(telling *self, const mcp_cache *cache, mcp_bytes prefix,
	const mcp_cache_tags *tags, unsigned from, unsigned most, bool is_strict) {
	tag_writes *next = &self->next;
	next->count = 0;
	for (unsigned i = from; i < mcp_cache_tags_names(tags) && i - from < most; i++) {
		unsigned name = i % tags->key_count * tags->count + i / tags->key_count;
		mcp_key tag = mcp_key_tag(&next->buffers[next->count], prefix, tags->fingerprints[name],
			mcp_bytes_none());
		self->listed[next->count] = &next->writes[next->count];
		add_tag_write(next, name, &tag, is_strict ? MCP_OP_SET : MCP_OP_INCREMENT);
		if (is_strict) {
			renumber(next, cache, next->count - 1);
		}
	}
	if (is_strict) {
		mcp_store_begin_change(self->server, &next->keys[0]);
	}
	mcp_store_submit(self->server, self->listed, next->count);
}

/* Conclude after new versions were set. If a write was not answered, retry it with another version. With the same
 * version, a late write would make values that captured this version valid again. With failover, the tag is deleted
 * on an unreachable server when the server recovers, which has the same effect. */
static mcp_status replace(const mcp_cache *cache, mcp_store *server, tag_writes *next) {
	mcp_status worst = MCP_OK;
	for (size_t i = 0; i < next->count; i++) {
		mcp_op *write = &next->writes[i];
		if (write->status == MCP_UNKNOWN) {
			renumber(next, cache, i);
			mcp_store_bypass_breaker(server, write->key, MCP_BYPASS_TO_RESOLVE);
			write->status = mcp_store_change(server, write);
		}
		write->number = next->numbers[i];
		worst = worse(worst, write->status);
	}
	return worst;
}

/* Conclude after versions were incremented. A tag that is missing or not a number also invalidates its values. */
static mcp_status advance(const tag_writes *next) {
	mcp_status worst = MCP_OK;
	for (size_t i = 0; i < next->count; i++) {
		mcp_status status = next->writes[i].status;
		worst = worse(worst, mcp_status_is_failure(status) ? status : MCP_OK);
	}
	return worst;
}

static void pass_on(const mcp_store *server, const mcp_cache_tags *tags, const tag_writes *told,
	mcp_tag_hearer hear) {
	for (size_t i = 0; i < told->count; i++) {
		const mcp_op *write = &told->writes[i];
		if (!mcp_status_is_failure(write->status)) {
			uint64_t number = write->status == MCP_OK ? write->number : 0;
			hear(server, (mcp_tag){tags->fingerprints[told->tags[i]], number});
		}
	}
}

static mcp_status hear_back(telling *self, const mcp_cache *cache, const mcp_cache_tags *tags,
	bool is_strict, mcp_tag_hearer hear) {
	mcp_store_complete(self->server, self->listed, self->next.count);
	mcp_status worst = is_strict ? replace(cache, self->server, &self->next) : advance(&self->next);
	if (hear != NULL) {
		pass_on(self->server, tags, &self->next, hear);
	}
	return worst;
}

mcp_status mcp_cache_invalidate(const mcp_cache *cache, mcp_bytes prefix,
	const mcp_cache_tags *tags, bool is_strict, mcp_tag_hearer hear) {
	mcp_status worst = MCP_OK;
	unsigned names = (unsigned)mcp_cache_tags_names(tags);
	size_t servers = mcp_store_member_count(cache->store);
	/* Send one change at a time if the store must see each change. */
	bool sees_each = mcp_store_sees_each_change(mcp_store_member(cache->store, 0));
	unsigned most = sees_each ? 1 : TOGETHER_MAX;
	telling one;
	telling *many = sees_each || servers == 1 ? NULL : malloc(servers * sizeof(*many));
	telling *told = many != NULL ? many : &one;
	size_t together = many != NULL ? servers : 1;
	for (size_t i = 0; i < servers; i += together) {
		for (unsigned j = 0; j < names; j += most) {
			for (size_t k = 0; k < together; k++) {
				told[k].server = mcp_store_member(cache->store, i + k);
				tell(&told[k], cache, prefix, tags, j, most, is_strict);
			}
			for (size_t k = 0; k < together; k++) {
				worst = worse(worst, hear_back(&told[k], cache, tags, is_strict, hear));
			}
		}
	}
	free(many);
	return mcp_cache_count_change(cache, NULL, worst);
}

/* --- checking a value: stale if a tag version was incremented, missing if the version is missing or unrelated --- */

typedef enum tag_state {
	TAG_HOLDS,
	TAG_OUTDATED, /* invalidated: the value is treated as after its TTL */
	/* strictly invalidated, or the tag is missing: the value is treated as after its grace period */
	TAG_LOST,
} tag_state;

static tag_state compare(uint64_t stored, uint64_t current) {
	if (!mcp_tag_is_known(current)) {
		return TAG_LOST;
	}
	if (stored == current) {
		return TAG_HOLDS;
	}
	return (stored ^ current) >> MCP_TAG_COUNT_BITS == 0 ? TAG_OUTDATED : TAG_LOST;
}

/* Whether the value has the tag under any of its names (T9). */
static bool has(mcp_bytes tags, const mcp_cache_tags *own, unsigned i) {
	for (size_t name = i; name < mcp_cache_tags_names(own); name += own->count) {
		if (mcp_tags_find(tags, own->fingerprints[name]) < mcp_tags_count(tags)) {
			return true;
		}
	}
	return false;
}

/* Check whether the value has the tags of this cache. Without the namespace tag, it counts as missing (N1). Without a
 * view's tag, it is stale. */
static tag_state find_lacking(const mcp_cache *cache, mcp_bytes tags) {
	tag_state state = TAG_HOLDS;
	for (unsigned i = 0; cache->tags != NULL && i < cache->tags->count; i++) {
		if (!has(tags, cache->tags, i)) {
			bool is_namespace = i == 0 && cache->tags->has_namespace;
			state = is_namespace ? TAG_LOST : state > TAG_OUTDATED ? state : TAG_OUTDATED;
		}
	}
	return state;
}

/* Make the value stale. A value without a grace period is then gone. */
static void outdate(mcp_cache_entry *entry) {
	if (entry->freshness != MCP_FRESH) {
		return;
	}
	entry->freshness = mcp_envelope_grace_ms(&entry->envelope) > 0 ? MCP_STALE : MCP_COLD;
	entry->has_value = entry->freshness == MCP_STALE;
	entry->verdict = !entry->has_value          ? MCP_VERDICT_MISS
		: entry->opening == MCP_OPENING_CLAIMED ? MCP_VERDICT_BUSY
												: MCP_VERDICT_STALE;
}

static void lose(mcp_cache_entry *entry) {
	entry->freshness = MCP_COLD;
	entry->has_value = false;
	entry->verdict = MCP_VERDICT_MISS;
}

/* Turn the entry into a miss with this failure, because the value's freshness is unknown without the tag. */
static void fail_by_tag(mcp_cache_entry *entry, mcp_status status) {
	*entry = (mcp_cache_entry){.freshness = MCP_COLD, .trouble = status};
}

/* Record the versions of the cache's tags, up to the first version that could not be read. Returns false if a version
 * was not requested. */
static bool note_numbers(const mcp_cache *cache, mcp_cache_entry *entry, uint64_t *numbers,
	mcp_cache_tag_finder find, const void *context) {
	entry->tag_numbers = NULL;
	for (unsigned i = 0; cache->tags != NULL && i < cache->tags->count; i++) {
		const mcp_cache_tag_found *found = find(context, cache->tags->fingerprints[i]);
		if (found == NULL) {
			return false;
		}
		if (mcp_status_is_failure(found->status)) {
			fail_by_tag(entry, found->status);
			return true;
		}
		numbers[i] = found->number;
	}
	entry->tag_numbers = numbers;
	return true;
}

bool mcp_cache_judge_tags(const mcp_cache *cache, mcp_cache_entry *entry, uint64_t *numbers,
	mcp_cache_tag_finder find, const void *context) {
	if (!note_numbers(cache, entry, numbers, find, context)) {
		return false;
	}
	if (!entry->has_value) {
		return true;
	}
	tag_state state = find_lacking(cache, entry->envelope.tags);
	entry->tag_changes = 0;
	for (size_t i = 0; i < mcp_tags_count(entry->envelope.tags); i++) {
		mcp_tag tag = mcp_tags_at(entry->envelope.tags, i);
		const mcp_cache_tag_found *found = find(context, tag.fingerprint);
		if (found == NULL) {
			return false;
		}
		if (mcp_status_is_failure(found->status)) {
			fail_by_tag(entry, found->status);
			return true;
		}
		entry->tag_changes += found->changes;
		tag_state of_this = compare(tag.number, found->number);
		state = of_this > state ? of_this : state;
	}
	entry->is_outdated_by_tag = state != TAG_HOLDS && entry->freshness == MCP_FRESH;
	if (state == TAG_OUTDATED) {
		outdate(entry);
	} else if (state == TAG_LOST) {
		lose(entry);
	}
	return true;
}

bool mcp_cache_bears_tags(const mcp_cache *cache, mcp_cache_entry *entry) {
	for (unsigned i = 0; cache->tags != NULL && i < cache->tags->count; i++) {
		size_t place = mcp_tags_find(entry->envelope.tags, cache->tags->fingerprints[i]);
		if (place == mcp_tags_count(entry->envelope.tags)) {
			return false;
		}
		cache->tags->numbers[i] = mcp_tags_at(entry->envelope.tags, place).number;
		entry->tag_numbers = cache->tags->numbers;
	}
	return true;
}

/* --- guesses --- */

static mcp_read_guess *place_of(const mcp_cache *cache, const mcp_key *key) {
	const mcp_cache_tags *own = cache->tags;
	bool has_any = own != NULL && own->guesses != NULL;
	return has_any ? &own->guesses->reads[key->fingerprint % MCP_READ_GUESSES] : NULL;
}

const mcp_read_guess *mcp_cache_read_guess(const mcp_cache *cache, const mcp_key *key) {
	const mcp_read_guess *guess = place_of(cache, key);
	return guess != NULL && guess->key == key->fingerprint ? guess : NULL;
}

void mcp_cache_learn(const mcp_cache *cache, const mcp_key *key, const mcp_cache_entry *entry) {
	mcp_read_guess *guess = place_of(cache, key);
	if (guess == NULL || !entry->has_value) {
		return;
	}
	const mcp_cache_tags *own = cache->tags;
	mcp_bytes tags = entry->envelope.tags;
	if (!entry->envelope.has_counter && mcp_tags_count(tags) <= own->count) {
		bool holds = guess->key == key->fingerprint && !guess->has_counter;
		for (unsigned i = 0; holds && i < guess->tag_count; i++) {
			holds = mcp_tags_find(tags, guess->fingerprints[i]) < mcp_tags_count(tags);
		}
		guess->key = holds || guess->key != key->fingerprint ? guess->key : 0;
		return;
	}
	guess->key = key->fingerprint;
	guess->has_counter = entry->envelope.has_counter;
	guess->tag_count = 0;
	for (size_t i = 0; i < mcp_tags_count(tags); i++) {
		uint64_t fingerprint = mcp_tags_at(tags, i).fingerprint;
		bool is_own = false;
		for (size_t j = 0; j < mcp_cache_tags_names(own); j++) {
			is_own |= own->fingerprints[j] == fingerprint;
		}
		if (!is_own && guess->tag_count < MCP_READ_GUESS_TAGS_MAX) {
			guess->fingerprints[guess->tag_count++] = fingerprint;
		}
	}
}
