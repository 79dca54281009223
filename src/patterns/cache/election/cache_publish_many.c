/* Publishes many results: in one go those whose election is proven, and in two those over what is read then. Whatever else there
 * is to be done is done for each by itself. */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_ends.h"
#include "../entry/cache_meter.h"
#include "cache_publishing.h"

#include <stdlib.h>

/* The results that are sent together. */
typedef struct publishing_many {
	const mcp_cache *cache;
	mcp_cache_result *results;
	size_t header_room;
	size_t count;                       /* of writes */
	size_t places[MCP_CACHE_BATCH_MAX]; /* theirs among the results */
	mcp_write writes[MCP_CACHE_BATCH_MAX];
	mcp_publishing parcels[MCP_CACHE_BATCH_MAX];
	mcp_key keys[MCP_CACHE_BATCH_MAX];
	mcp_reply replies[MCP_CACHE_BATCH_MAX];
	char headers[]; /* header_room for each write */
} publishing_many;

static void add_write(publishing_many *self, size_t place, const mcp_cache_entry *entry) {
	const mcp_cache_result *result = &self->results[place];
	mcp_publishing *parcel = &self->parcels[self->count];
	parcel->record.header = self->headers + self->count * self->header_room;
	mcp_cache_compose_result(self->cache, &result->key, result->claim, &result->value, entry,
		parcel);
	self->places[self->count] = place;
	self->writes[self->count++] = (mcp_write){
		.key = result->key,
		.record = parcel->record.record,
		.cas = entry != NULL ? entry->cas : 0,
		.proof = result->claim->proof,
	};
}

/* Sends them; what has to be looked at afterwards keeps MCP_EXISTS. */
static void send(publishing_many *self, mcp_change_verb verb) {
	if (self->count > 0) {
		mcp_store_write_many(self->cache->store, verb, self->writes, self->count);
	}
	for (size_t i = 0; i < self->count; i++) {
		mcp_cache_result *result = &self->results[self->places[i]];
		mcp_status status = mcp_cache_judge_result(self->cache, &result->key, result->claim,
			&result->value, &self->parcels[i], self->writes[i].status);
		result->status = mcp_cache_is_to_look(status) ? MCP_EXISTS : status;
	}
	self->count = 0;
}

static void publish_proven(publishing_many *self, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (self->results[i].status == MCP_EXISTS && mcp_cache_is_proven(self->results[i].claim)) {
			add_write(self, i, NULL);
		}
	}
	send(self, MCP_CHANGE_CAS_PROVEN);
}

/* Judges what stands there by now. */
static void judge(publishing_many *self, size_t place, const mcp_reply *reply) {
	mcp_cache_result *result = &self->results[place];
	mcp_cache_entry entry;
	mcp_cache_judge(self->cache, &result->key, reply, &entry);
	if (entry.trouble != MCP_OK) {
		result->status = entry.trouble;
	} else if (mcp_cache_descends(&entry, result->claim)) {
		add_write(self, place, &entry);
	} else {
		mcp_cache_count_unreadable(self->cache, &entry);
		result->status = MCP_NOT_STORED;
	}
}

/* Publishes over what is read. Not what was not elected: that has to know of tags, too. */
static void publish_over_read(publishing_many *self, size_t count) {
	size_t places[MCP_CACHE_BATCH_MAX], asked = 0;
	for (size_t i = 0; i < count; i++) {
		if (self->results[i].status == MCP_EXISTS && !self->results[i].claim->is_overdue) {
			self->keys[asked] = self->results[i].key;
			places[asked++] = i;
		}
	}
	if (asked > 0) {
		mcp_store_get_many(self->cache->store, self->keys, asked, self->replies);
	}
	for (size_t i = 0; i < asked; i++) {
		judge(self, places[i], &self->replies[i]);
	}
	send(self, MCP_CHANGE_CAS);
}

static void publish_some(publishing_many *self, size_t count) {
	for (size_t i = 0; i < count; i++) {
		mcp_cache_result *result = &self->results[i];
		bool fits = mcp_cache_fits(self->cache, &result->key, &result->value);
		result->status = fits ? MCP_EXISTS : MCP_TOO_LARGE;
	}
	publish_proven(self, count);
	publish_over_read(self, count);
	for (size_t i = 0; i < count; i++) {
		mcp_cache_result *result = &self->results[i];
		if (result->status == MCP_EXISTS) {
			result->status = mcp_cache_look_and_publish(self->cache, &result->key, result->claim,
				&result->value);
		}
		result->status = mcp_cache_finish_publish(self->cache, &result->key, result->status);
	}
}

static size_t header_room(const mcp_cache_result *results, size_t count) {
	size_t most = mcp_envelope_room(mcp_bytes_none());
	for (size_t i = 0; i < count; i++) {
		size_t room = mcp_envelope_room(results[i].value.tags);
		most = room > most ? room : most;
	}
	return most;
}

void mcp_cache_publish_many(const mcp_cache *cache, mcp_cache_result *results, size_t count) {
	bool goes_together = count > 1 && mcp_store_may_prove(cache->store);
	size_t room = header_room(results, count);
	publishing_many *self =
		goes_together ? malloc(sizeof(*self) + MCP_CACHE_BATCH_MAX * room) : NULL;
	for (size_t i = 0; self == NULL && i < count; i++) {
		results[i].status =
			mcp_cache_publish(cache, &results[i].key, results[i].claim, &results[i].value);
	}
	for (size_t i = 0; self != NULL && i < count; i += MCP_CACHE_BATCH_MAX) {
		size_t left = count - i;
		self->cache = cache;
		self->results = results + i;
		self->header_room = room;
		self->count = 0;
		publish_some(self, left < MCP_CACHE_BATCH_MAX ? left : MCP_CACHE_BATCH_MAX);
	}
	free(self);
}
