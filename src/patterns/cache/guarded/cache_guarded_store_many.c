/* Stores many: reads what stands at their keys in one go, and stores in another those whose notes hold. Whatever else there
 * is to be done is done for each by itself. */
/* SPDX-License-Identifier: MIT */
#include "../entry/cache_ends.h"
#include "../entry/cache_meter.h"
#include "../write/cache_write.h"
#include "cache_guarded_note.h"

#include <stdlib.h>

/* So many bytes are read together at most, if what stands there is as long as what is to be stored. */
#define BYTES_TOGETHER_MAX ((size_t)1024 * 1024)

/* The values that are stored together. A write's record is a view into its parcel. */
typedef struct storing_many {
	const mcp_cache *cache;
	mcp_cache_setting *settings;
	mcp_read_stamp *const *notes;
	uint32_t holdoff_ms;
	size_t header_room;
	size_t count;                       /* of writes */
	size_t places[MCP_CACHE_BATCH_MAX]; /* theirs among the settings */
	mcp_write writes[MCP_CACHE_BATCH_MAX];
	mcp_guarded_parcel parcels[MCP_CACHE_BATCH_MAX];
	mcp_key keys[MCP_CACHE_BATCH_MAX];
	mcp_reply replies[MCP_CACHE_BATCH_MAX];
	char headers[]; /* header_room for each write */
} storing_many;

/* Stands for a store that goes by itself, until it has. */
#define ALONE MCP_EXISTS

static void add_write(storing_many *self, size_t place, uint64_t cap_ms, uint64_t cas) {
	const mcp_cache_setting *setting = &self->settings[place];
	mcp_guarded_parcel *parcel = &self->parcels[self->count];
	parcel->record.header = self->headers + self->count * self->header_room;
	mcp_cache_guarded_compose(self->cache, &setting->key, &setting->value, cap_ms, parcel);
	parcel->record.record.proof = NULL; /* many prove nothing */
	self->places[self->count] = place;
	self->writes[self->count++] =
		(mcp_write){.key = setting->key, .record = parcel->record.record, .cas = cas};
}

/* Finishes what has an answer. MCP_EXISTS, MCP_NOT_FOUND: others were there first, or have deleted it, which is looked at by
 * itself. */
static void conclude(const storing_many *self, size_t place, mcp_status status) {
	mcp_cache_setting *setting = &self->settings[place];
	mcp_read_stamp *note = self->notes[place];
	if (status == MCP_EXISTS || status == MCP_NOT_FOUND) {
		setting->status = ALONE;
		return;
	}
	setting->status = mcp_cache_finish_write(self->cache, &setting->key, status,
		mcp_wall_ms(self->cache->environment));
	if (mcp_status_is_failure(status) && note->state != MCP_READ_STAMP_NONE) {
		note->state = MCP_READ_STAMP_TORN;
	}
}

static void send(storing_many *self, mcp_change_verb verb) {
	if (self->count == 0) {
		return;
	}
	mcp_store_write_many(self->cache->store, verb, self->writes, self->count);
	for (size_t i = 0; i < self->count; i++) {
		const mcp_write *write = &self->writes[i];
		mcp_status status = write->status;
		if (status == MCP_UNKNOWN && verb == MCP_CHANGE_CAS) {
			status = mcp_cache_settle_epoch(self->cache, &write->key, self->parcels[i].epoch);
		}
		conclude(self, self->places[i], status);
		if (status == MCP_OK) {
			mcp_cache_guarded_note_stored(self->cache, &self->parcels[i],
				self->notes[self->places[i]]);
		}
	}
	self->count = 0;
}

/* Says whether it can go with others. A value that is too large has its key deleted, or is answered so. */
static bool goes_together(const storing_many *self, size_t place, mcp_read_stamp_state state) {
	const mcp_cache_setting *setting = &self->settings[place];
	return self->notes[place]->state == state && setting->status == ALONE &&
		mcp_cache_fits(self->cache, &setting->key, &setting->value);
}

/* Judges what stands where a note was made, and adds the store if that is what was noted. */
static void judge(storing_many *self, size_t place, const mcp_reply *reply) {
	mcp_cache_setting *setting = &self->settings[place];
	mcp_cache_entry entry;
	mcp_cache_judge(self->cache, &setting->key, reply, &entry);
	if (entry.trouble != MCP_OK) {
		conclude(self, place, entry.trouble);
	} else if (entry.cas != 0 &&
		mcp_cache_guarded_is_noted(self->cache, self->notes[place], &entry)) {
		uint64_t cap_ms =
			mcp_cache_guarded_cap(self->cache, self->notes[place], &entry, self->holdoff_ms);
		add_write(self, place, cap_ms, entry.cas);
	}
}

/* Stores those over what their notes say stands there, if it does; a torn note's store has to look for itself. */
static void store_over_noted(storing_many *self, size_t from, size_t to) {
	size_t places[MCP_CACHE_BATCH_MAX], count = 0;
	for (size_t i = from; i < to; i++) {
		if (goes_together(self, i, MCP_READ_STAMP_HELD)) {
			self->keys[count] = self->settings[i].key;
			places[count++] = i;
		}
	}
	if (count > 0) {
		mcp_store_get_many(self->cache->store, self->keys, count, self->replies);
	}
	for (size_t i = 0; i < count; i++) {
		judge(self, places[i], &self->replies[i]);
	}
	send(self, MCP_CHANGE_CAS);
}

static void store_blindly(storing_many *self, size_t from, size_t to) {
	for (size_t i = from; i < to; i++) {
		if (goes_together(self, i, MCP_READ_STAMP_NONE)) {
			add_write(self, i, 0, 0);
		}
	}
	send(self, MCP_CHANGE_SET);
}

/* Stores those from `from` to `to` together, as far as they can be. */
static void store_some(storing_many *self, size_t from, size_t to) {
	for (size_t i = from; i < to; i++) {
		self->settings[i].status = ALONE;
	}
	store_blindly(self, from, to);
	store_over_noted(self, from, to);
	for (size_t i = from; i < to; i++) {
		mcp_cache_setting *setting = &self->settings[i];
		if (setting->status == ALONE) {
			setting->status = mcp_cache_guarded_set(self->cache, &setting->key, &setting->value,
				self->holdoff_ms, self->notes[i]);
		}
	}
}

/* Returns the end of those that are read together from `from` on. */
static size_t end_of_some(const mcp_cache_setting *settings, size_t from, size_t count) {
	size_t bytes = 0, to = from;
	while (to < count && to - from < MCP_CACHE_BATCH_MAX && bytes < BYTES_TOGETHER_MAX) {
		bytes += settings[to++].value.payload.length;
	}
	return to;
}

void mcp_cache_guarded_set_many(const mcp_cache *cache, mcp_cache_setting *settings,
	mcp_read_stamp *const *notes, size_t count, uint32_t holdoff_ms) {
	bool is_told_of_each = cache->store->operations->begin_change != NULL;
	size_t room = mcp_cache_header_room(settings, count);
	storing_many *self =
		count > 1 && !is_told_of_each ? malloc(sizeof(*self) + MCP_CACHE_BATCH_MAX * room) : NULL;
	if (self == NULL) {
		for (size_t i = 0; i < count; i++) {
			settings[i].status = mcp_cache_guarded_set(cache, &settings[i].key, &settings[i].value,
				holdoff_ms, notes[i]);
		}
		return;
	}
	self->cache = cache;
	self->settings = settings;
	self->notes = notes;
	self->holdoff_ms = holdoff_ms;
	self->header_room = room;
	self->count = 0;
	for (size_t from = 0, to; from < count; from = to) {
		to = end_of_some(settings, from, count);
		store_some(self, from, to);
	}
	free(self);
}
