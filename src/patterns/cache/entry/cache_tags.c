/* The numbers of tags: making, capturing and changing them (T1 to T4). One number per tag and server, beside the values
 * that it is for. */
/* SPDX-License-Identifier: MIT */
#include "cache_tags.h"

#include "../../../core/decimal.h"
#include "../../../core/key/key_tag.h"
#include "cache_meter.h"
#include "cache_contention.h"

#define TAG_BIT ((uint64_t)1 << 62)
#define CARRY_BIT ((uint64_t)1 << 61)
#define COUNT_MASK (((uint64_t)1 << MCP_TAG_COUNT_BITS) - 1)

/* Under the tag's key stands what no version of this protocol writes. */
#define NOT_A_TAG 1

void mcp_cache_tags_add(mcp_cache_tags *tags, uint64_t fingerprint) {
	for (unsigned i = 0; i < tags->count; i++) {
		if (tags->fingerprints[i] == fingerprint) {
			return;
		}
	}
	tags->fingerprints[tags->count++] = fingerprint;
}

uint64_t mcp_cache_tag_number(const mcp_reply *reply) {
	if (reply->status != MCP_OK) {
		return 0;
	}
	uint64_t number;
	bool is_number = mcp_decimal_parse_u64(mcp_decimal_trim(reply->item.value), &number);
	return is_number && mcp_tag_is_known(number) ? number : NOT_A_TAG;
}

/* Makes a number by T3: random, and sent by one command, so that no number ever comes again. */
static uint64_t new_number(const mcp_cache *cache) {
	uint64_t random = mcp_random_u64(cache->environment) & ~(COUNT_MASK | CARRY_BIT);
	return (random & (TAG_BIT - 1)) | TAG_BIT;
}

/* --- making and capturing them --- */

/* Makes the tag by `add`, so that all who make it have the same one. An item that is no tag is replaced: that
 * invalidates, and no more. */
static mcp_status make(const mcp_cache *cache, const mcp_key *key, uint64_t *number,
	uint64_t fingerprint) {
	mcp_key_buffer buffer;
	mcp_key tag = mcp_key_tag_beside(&buffer, key, fingerprint);
	uint64_t made = new_number(cache);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_record record = {.body = mcp_bytes_of(digits, mcp_decimal_format_u64(made, digits))};
	mcp_status status = *number == NOT_A_TAG ? mcp_store_set(cache->store, &tag, &record)
											 : mcp_store_add(cache->store, &tag, &record);
	if (status == MCP_OK) {
		*number = made;
	}
	return status;
}

/* MCP_NOT_STORED if others make one of them, too. */
static mcp_status make_unknown(const mcp_cache *cache, const mcp_key *key, uint64_t *numbers) {
	mcp_status status = MCP_OK;
	for (unsigned i = 0; i < cache->tags->count && status == MCP_OK; i++) {
		if (!mcp_tag_is_known(numbers[i])) {
			status = make(cache, key, &numbers[i], cache->tags->fingerprints[i]);
		}
	}
	return status;
}

static bool is_to_be_read(mcp_status status) {
	return status == MCP_NOT_STORED || status == MCP_UNKNOWN;
}

bool mcp_cache_knows_tags(const mcp_cache *cache, const mcp_cache_entry *entry) {
	for (unsigned i = 0; cache->tags != NULL && i < cache->tags->count; i++) {
		if (!mcp_tag_is_known(entry->tag_numbers[i])) {
			return false;
		}
	}
	return true;
}

mcp_status mcp_cache_make_tags(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry) {
	mcp_status status = cache->tags != NULL ? make_unknown(cache, key, entry->tag_numbers) : MCP_OK;
	if (mcp_status_is_failure(status)) {
		/* The next call may go over another connection. */
		entry->trouble = status;
		entry->cas = 0;
	}
	return is_to_be_read(status) ? MCP_EXISTS : status;
}

/* Reads those that are not known yet; the others stay as they were found before. */
static mcp_status read_unknown(const mcp_cache *cache, const mcp_key *key, uint64_t *numbers) {
	mcp_key_buffer buffers[MCP_ENVELOPE_TAGS_MAX];
	mcp_key keys[MCP_ENVELOPE_TAGS_MAX];
	mcp_reply replies[MCP_ENVELOPE_TAGS_MAX];
	unsigned places[MCP_ENVELOPE_TAGS_MAX], count = 0;
	for (unsigned i = 0; i < cache->tags->count; i++) {
		if (!mcp_tag_is_known(numbers[i])) {
			keys[count] = mcp_key_tag_beside(&buffers[count], key, cache->tags->fingerprints[i]);
			places[count++] = i;
		}
	}
	if (count == 0) {
		return MCP_OK;
	}
	mcp_store_get_many(cache->store, keys, count, replies);
	for (unsigned i = 0; i < count; i++) {
		if (mcp_status_is_failure(replies[i].status)) {
			return replies[i].status;
		}
		numbers[places[i]] = mcp_cache_tag_number(&replies[i]);
	}
	return MCP_OK;
}

static void pack(const mcp_cache_tags *tags, const uint64_t *numbers, mcp_captured_tags *captured) {
	for (unsigned i = 0; i < tags->count; i++) {
		mcp_tag tag = {.fingerprint = tags->fingerprints[i], .number = numbers[i]};
		mcp_tag_write(captured->bytes + (size_t)i * MCP_TAG_LENGTH, tag);
	}
}

void mcp_cache_capture(const mcp_cache *cache, const mcp_cache_entry *entry,
	mcp_captured_tags *captured) {
	captured->length = 0;
	if (cache->tags != NULL) {
		captured->length = (size_t)cache->tags->count * MCP_TAG_LENGTH;
		pack(cache->tags, entry->tag_numbers, captured);
	}
}

bool mcp_cache_capture_kept(const mcp_cache *cache, const mcp_cache_entry *entry,
	mcp_captured_tags *captured) {
	mcp_cache_capture(cache, entry, captured);
	mcp_captured_tags all = *captured;
	mcp_bytes captured_view = mcp_captured_tags_view(captured);
	size_t count = entry->has_value ? mcp_tags_count(entry->envelope.tags) : 0;
	for (size_t i = 0; i < count; i++) {
		mcp_tag tag = mcp_tags_at(entry->envelope.tags, i);
		if (mcp_tags_find(captured_view, tag.fingerprint) < mcp_tags_count(captured_view)) {
			continue;
		}
		if (all.length == sizeof(all.bytes)) {
			return false;
		}
		mcp_tag_write(all.bytes + all.length, tag);
		all.length += MCP_TAG_LENGTH;
	}
	*captured = all;
	return true;
}

/* Completes the numbers: that of a tag that others make, too, is read again; one that was sent and not acknowledged
 * is not believed, and where it has not come another one is sent. */
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

/* Says whether the other tags are just these, as is nearly always so: they were captured through the same view. */
static bool has_just_these(const mcp_cache_tags *tags, mcp_bytes other) {
	bool has = mcp_tags_count(other) == tags->count;
	for (unsigned i = 0; has && i < tags->count; i++) {
		mcp_tag tag = mcp_tags_at(other, i);
		has = tag.fingerprint == tags->fingerprints[i] && mcp_tag_is_known(tag.number);
	}
	return has;
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
		numbers[i] = numbers[i] != 0 ? numbers[i] : mcp_cache_unnoted_number(other);
	}
	mcp_status status = read_unknown(cache, key, numbers);
	status = status == MCP_OK ? complete(cache, key, numbers) : status;
	captured->length = (size_t)cache->tags->count * MCP_TAG_LENGTH;
	pack(cache->tags, numbers, captured);
	return status;
}

mcp_status mcp_cache_capture_now(const mcp_cache *cache, const mcp_key *key,
	mcp_captured_tags *captured) {
	return mcp_cache_capture_of(cache, key, mcp_bytes_none(), captured);
}

void mcp_cache_capture_look(const mcp_cache *cache, const mcp_key *key, mcp_cache_entry *entry,
	mcp_captured_tags *captured) {
	if (entry->trouble == MCP_OK) {
		mcp_cache_make_tags(cache, key, entry);
	} else {
		memset(entry->tag_numbers, 0, sizeof(entry->tag_numbers));
	}
	mcp_cache_capture(cache, entry, captured);
}

/* --- invalidating --- */

static mcp_status set_anew(const mcp_cache *cache, mcp_store *server, const mcp_key *tag) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	uint64_t number = new_number(cache);
	mcp_record record = {.body = mcp_bytes_of(digits, mcp_decimal_format_u64(number, digits))};
	return mcp_store_set(server, tag, &record);
}

/* Sends, without an answer, once more with another number: the same one, landing late, would validate what had
 * captured it. With failover a server that cannot be told deletes the tag when it is back, which is as strict. */
static mcp_status replace(const mcp_cache *cache, mcp_store *server, const mcp_key *tag) {
	mcp_store_begin_change(server, tag);
	mcp_status status = set_anew(cache, server, tag);
	if (status == MCP_UNKNOWN) {
		mcp_store_insist(server, tag, MCP_INSIST_TO_SETTLE);
		status = set_anew(cache, server, tag);
	}
	return status;
}

/* Advances the number; an absent tag invalidates, and so does what is no number. */
static mcp_status advance(mcp_store *server, const mcp_key *tag) {
	uint64_t number;
	mcp_status status = mcp_store_increment(server, tag, 1, &number);
	return mcp_status_is_failure(status) ? status : MCP_OK;
}

mcp_status mcp_cache_invalidate(const mcp_cache *cache, mcp_bytes prefix,
	const mcp_cache_tags *tags, bool is_strict) {
	mcp_status worst = MCP_OK;
	for (size_t i = 0; i < mcp_store_member_count(cache->store); i++) {
		mcp_store *server = mcp_store_member(cache->store, i);
		for (unsigned j = 0; j < tags->count; j++) {
			mcp_key_buffer buffer;
			mcp_key tag = mcp_key_tag(&buffer, prefix, tags->fingerprints[j], mcp_bytes_none());
			mcp_status status = is_strict ? replace(cache, server, &tag) : advance(server, &tag);
			worst = worst == MCP_OK ? status : worst;
		}
	}
	return mcp_cache_count_change(cache, NULL, worst);
}
