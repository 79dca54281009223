/* Actions of the clients of guarded caches, and checks of what they store (V1 to V4). */
/* SPDX-License-Identifier: MIT */
#include "plain/families/guarded.h"

#include "../../../../src/core/bytes.h"

guarded_state plain_guarded_state;

/* Space for a process's name in the bytes of a row. */
enum { NAMES = 4 };

static const mcp_lifetime lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS};

static guarded_row *row_of(unsigned key) {
	return &plain_guarded_state.rows[key];
}

static knowledge *known_by(const plain_client *client, unsigned key) {
	return &plain_guarded_state.known[client->index][key];
}

static mcp_cache cache_of(plain_client *client) {
	return (mcp_cache){
		.store = &client->door.store,
		.environment = &client->environment,
		.statistics = &plain_guarded_state.statistics,
		.lease_ms = LEASE_MS,
	};
}

/* --- rows and their bytes --- */

static unsigned content_of(unsigned version) {
	return plain_guarded_state.toggles ? version % 2 : version;
}

static mcp_cache_value value_of(const plain_client *client, unsigned version, char *digits) {
	unsigned name = plain_guarded_state.differs ? client->index : 0;
	uint64_t number = (uint64_t)content_of(version) * NAMES + name;
	return (mcp_cache_value){
		.payload = mcp_bytes_of(digits, mcp_decimal_format_u64(number, digits)),
		.lifetime = lifetime,
	};
}

/* Returns the newest version of the row that can have these bytes. */
static unsigned version_of(const guarded_row *row, mcp_bytes payload) {
	uint64_t number;
	if (!mcp_decimal_parse_u64(payload, &number)) {
		return 0;
	}
	unsigned content = (unsigned)(number / NAMES);
	bool is_the_one_before = plain_guarded_state.toggles && content_of(row->version) != content;
	return !plain_guarded_state.toggles ? content : row->version - is_the_one_before;
}

/* --- checks --- */

/* True if a newer version was announced. */
static bool is_outdated(const guarded_row *row, unsigned version) {
	for (unsigned newer = version + 1; newer <= row->version; newer++) {
		if (row->is_told[newer]) {
			return true;
		}
	}
	return false;
}

static bool read_item(const guarded_row *row, const mcp_op *reply, mcp_envelope *envelope,
	mcp_bytes *payload) {
	return reply->status == MCP_OK &&
		mcp_envelope_decode(reply->item.value, reply->item.flags, row->key.fingerprint, envelope,
			payload);
}

static uint64_t wall_of(const plain_world *world) {
	return PLAIN_EPOCH_MS + world->now_ms;
}

/* Checks the current item (V2). */
static void check_item(plain_world *world, unsigned key) {
	guarded_row *row = row_of(key);
	mcp_op now;
	mcp_envelope envelope;
	mcp_bytes payload;
	now.status = plain_peek(world, &row->key, &now.item);
	if (!read_item(row, &now, &envelope, &payload) || !envelope.has_value) {
		return;
	}
	unsigned version = version_of(row, payload);
	if (is_outdated(row, version) && envelope.soft_ms > wall_of(world) + HOLDOFF_MS) {
		plain_fail(world, "V2", "version %u of key %u stays, the database has %u", version, key,
			row->version);
	}
}

static bool is_put(const sim_request *request, mcp_status status) {
	bool is_of_value =
		request->verb == MCP_OP_ADD || request->verb == MCP_OP_SET || request->verb == MCP_OP_CAS;
	return is_of_value && status == MCP_OK;
}

/* A stored value must not be older than the last delete (V1). */
static void check_put(plain_world *world, guarded_row *row, const mcp_envelope *put,
	mcp_bytes payload, const mcp_envelope *before) {
	unsigned version = version_of(row, payload);
	if (version < row->deleted) {
		plain_fail(world, "V1", "version %u is put there after version %u was deleted", version,
			row->deleted);
	}
	/* A rebuild keeps the mark's epoch and does not count as a replacement. */
	if (before != NULL && !before->has_value && before->epoch == row->emptied_epoch &&
		put->epoch != row->emptied_epoch) {
		row->refilled_ms = put->created_ms;
	}
}

/* A value that replaced a mark is not replaced by a mark while it is fresh (V3). */
static void check_emptied(plain_world *world, guarded_row *row, const mcp_envelope *put,
	const mcp_envelope *before) {
	if (before == NULL || mcp_freshness_at(before, wall_of(world)) != MCP_FRESH) {
		return;
	}
	if (before->created_ms == row->refilled_ms) {
		plain_fail(world, "V3", "what has filled an emptied key is emptied");
	}
	row->emptied_epoch = put->epoch;
}

void plain_guarded_check_effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	for (unsigned key = 0; key < GUARDED_KEYS; key++) {
		guarded_row *row = row_of(key);
		if (!sim_request_is_for(request, &row->key)) {
			continue;
		}
		mcp_op sent = {.status = MCP_OK,
			.item = {.value = sim_request_value(request), .flags = request->flags}};
		mcp_envelope envelope, old;
		mcp_bytes payload, of_old;
		const mcp_envelope *over = read_item(row, before, &old, &of_old) ? &old : NULL;
		bool is_deleted = request->verb == MCP_OP_DELETE ||
			(request->verb == MCP_OP_DELETE_IF && (status == MCP_OK || status == MCP_NOT_FOUND));
		if (is_deleted) {
			row->deleted = row->version;
		} else if (is_put(request, status) && read_item(row, &sent, &envelope, &payload)) {
			if (envelope.has_value) {
				check_put(world, row, &envelope, payload, over);
			} else if (!envelope.has_claim) {
				check_emptied(world, row, &envelope, over);
			}
		}
		check_item(world, key);
	}
}

/* Announces all changes of the process: from now on, no older version may stay. */
static void tell(plain_client *client, unsigned key) {
	knowledge *known = known_by(client, key);
	for (unsigned i = 0; i < known->changed_count; i++) {
		row_of(key)->is_told[known->changed[i]] = true;
	}
	known->changed_count = 0;
	check_item(client->world, key);
}

/* Without a fault, no call fails (V4). */
static void check_answer(plain_client *client, mcp_status status) {
	bool is_sound = client->world->fault_budget == plain_guarded_state.budget;
	if (is_sound && status != MCP_OK && status != MCP_NOT_STORED) {
		plain_fail(client->world, "V4", "client %u is answered %d", client->index, (int)status);
	}
}

/* --- actions of clients --- */

static void note_row(plain_client *client, unsigned key, unsigned version) {
	knowledge *known = known_by(client, key);
	known->has_row = true;
	known->version = version;
}

/* Ends previous work, which has 1 minute from its first read. */
static void end_late_work(plain_client *client, unsigned key) {
	knowledge *known = known_by(client, key);
	uint64_t age_ms = mcp_monotonic_ms(&client->environment) - known->note.made_ms;
	known->has_row &= known->note.state == MCP_READ_STAMP_NONE || age_ms < MCP_GUARDED_MARKER_MS;
}

static void look(plain_client *client, unsigned key, action how) {
	mcp_cache cache = cache_of(client);
	guarded_row *row = row_of(key);
	mcp_cache_entry entry;
	(how == LOOK ? mcp_cache_get : mcp_cache_peek)(&cache, &row->key, &entry);
	unsigned shown = entry.has_value ? version_of(row, entry.payload) : 0;
	end_late_work(client, key);
	mcp_cache_guarded_stamp(&cache, &row->key, &entry, &known_by(client, key)->note);
	known_by(client, key)->has_looked = true;
	if (how == TAKE) {
		note_row(client, key, shown);
		known_by(client, key)->has_row = entry.has_value;
		known_by(client, key)->changed_count = 0; /* a store now announces no change of its own */
	}
	plain_trace(client->world, "client %u: verdict %d of key %u, note %d", client->index,
		(int)entry.verdict, key, (int)known_by(client, key)->note.state);
}

static void look_at_both(plain_client *client) {
	mcp_cache cache = cache_of(client);
	mcp_key keys[GUARDED_KEYS], scratch[2 * GUARDED_KEYS];
	mcp_cache_entry entries[GUARDED_KEYS];
	mcp_op replies[2 * GUARDED_KEYS];
	mcp_key_buffer sides[GUARDED_KEYS];
	mcp_read_stamp *notes[GUARDED_KEYS];
	for (unsigned key = 0; key < GUARDED_KEYS; key++) {
		keys[key] = row_of(key)->key;
		notes[key] = &known_by(client, key)->note;
	}
	mcp_cache_batch batch = {keys, GUARDED_KEYS, entries, replies, scratch, sides, NULL, NULL};
	mcp_cache_peek_many(&cache, &batch);
	for (unsigned key = 0; key < GUARDED_KEYS; key++) {
		end_late_work(client, key);
	}
	mcp_cache_guarded_stamp_many(&cache, &batch, notes);
	for (unsigned key = 0; key < GUARDED_KEYS; key++) {
		known_by(client, key)->has_looked = true;
	}
}

static void read_row(plain_client *client, unsigned key) {
	plain_sleep(client, 1);
	note_row(client, key, row_of(key)->version);
	plain_trace(client->world, "client %u reads version %u", client->index, row_of(key)->version);
	plain_sleep(client, 1);
}

static void change_row(plain_client *client, unsigned key) {
	guarded_row *row = row_of(key);
	knowledge *known = known_by(client, key);
	plain_sleep(client, 1);
	if (row->version + 1 < GUARDED_VERSIONS_MAX) {
		note_row(client, key, ++row->version);
		known->changed[known->changed_count++] = row->version;
		plain_trace(client->world, "client %u makes version %u", client->index, row->version);
	}
	plain_sleep(client, 1);
}

static void heed(plain_client *client, unsigned key, mcp_status status, action how) {
	plain_trace(client->world, "client %u stores version %u of key %u: %d", client->index,
		known_by(client, key)->version, key, (int)status);
	check_answer(client, status);
	if (status == MCP_OK || (status == MCP_NOT_STORED && how != ADD)) {
		tell(client, key);
	}
}

/* True if the process can store: it has a row and has read the key. */
static bool may_store(const plain_client *client, unsigned key) {
	const knowledge *known = known_by(client, key);
	return known->has_row && known->has_looked;
}

static void store(plain_client *client, unsigned key, action how) {
	static mcp_status (*const verbs[])(const mcp_cache *cache, const mcp_key *key,
		const mcp_cache_value *value, uint32_t holdoff_ms, mcp_read_stamp *note) = {
		[STORE] = mcp_cache_guarded_set,
		[ADD] = mcp_cache_guarded_add,
		[REPLACE] = mcp_cache_guarded_replace,
	};
	if (!may_store(client, key)) {
		return;
	}
	knowledge *known = known_by(client, key);
	mcp_cache cache = cache_of(client);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = value_of(client, known->version, digits);
	mcp_status status = verbs[how](&cache, &row_of(key)->key, &value, HOLDOFF_MS, &known->note);
	heed(client, key, status, how);
}

static void store_both(plain_client *client) {
	mcp_cache cache = cache_of(client);
	mcp_cache_setting settings[GUARDED_KEYS];
	mcp_read_stamp *notes[GUARDED_KEYS];
	char digits[GUARDED_KEYS][MCP_DECIMAL_MAX_LENGTH];
	for (unsigned key = 0; key < GUARDED_KEYS; key++) {
		if (!may_store(client, key)) {
			return;
		}
		knowledge *known = known_by(client, key);
		notes[key] = &known->note;
		settings[key] = (mcp_cache_setting){
			.key = row_of(key)->key,
			.value = value_of(client, known->version, digits[key]),
		};
	}
	mcp_cache_guarded_set_many(&cache, settings, notes, GUARDED_KEYS, HOLDOFF_MS);
	for (unsigned key = 0; key < GUARDED_KEYS; key++) {
		heed(client, key, settings[key].status, STORE);
	}
}

static void delete_key(plain_client *client, unsigned key, bool is_own) {
	mcp_cache cache = cache_of(client);
	knowledge *known = known_by(client, key);
	mcp_status status = mcp_cache_delete(&cache, &row_of(key)->key);
	plain_trace(client->world, "client %u deletes: %d", client->index, (int)status);
	if (is_own) {
		mcp_cache_guarded_stamp_deleted(&known->note, status);
		known->has_row = known->has_looked = false;
	}
	if (status == MCP_OK) {
		tell(client, key);
	}
}

/* A pull by another process after a change. A missing key was deleted before. */
static void pull(plain_client *client, unsigned key) {
	mcp_cache cache = cache_of(client);
	mcp_cache_entry entry;
	cache.is_guarded = true;
	mcp_status status = mcp_cache_pull(&cache, &row_of(key)->key, &entry);
	plain_trace(client->world, "client %u pulls: %d", client->index, (int)status);
	if (status == MCP_OK || status == MCP_NOT_FOUND) {
		tell(client, key);
	}
}

static void remember(plain_client *client, unsigned key) {
	mcp_cache cache = cache_of(client);
	mcp_remember wishes = {
		.lifetime = lifetime,
		.wait_ms = WAIT_MS,
		.serve_stale = true,
	};
	mcp_cache_entry entry;
	mcp_cache_remember(&cache, &row_of(key)->key, &wishes, &entry);
	if (entry.verdict != MCP_VERDICT_ELECTED) {
		return;
	}
	mcp_claim claim = entry.claim;
	plain_sleep(client, 1);
	unsigned version = row_of(key)->version;
	plain_sleep(client, 1);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = value_of(client, version, digits);
	mcp_cache_publish(&cache, &row_of(key)->key, &claim, &value);
}

/* Does not change the row: the stored value is as old as the current one. */
static void update(plain_client *client, unsigned key) {
	mcp_cache cache = cache_of(client);
	mcp_cache_entry entry;
	mcp_cache_peek(&cache, &row_of(key)->key, &entry);
	if (!entry.has_value) {
		return;
	}
	mcp_cache_seen seen = mcp_cache_see(&entry);
	char bytes[MCP_DECIMAL_MAX_LENGTH];
	memcpy(bytes, entry.payload.data, entry.payload.length);
	mcp_cache_value value = {
		.payload = mcp_bytes_of(bytes, entry.payload.length),
		.flags = entry.flags,
		.lifetime = lifetime,
	};
	plain_sleep(client, 1);
	mcp_cache_update(&cache, &row_of(key)->key, &seen, &value);
}

/* Sets other bytes after each restart, because CAS values restart, too, and the same bytes with the same CAS value
 * would be the same item. */
static void spoil(plain_client *client, unsigned key) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_record record = {
		.body = mcp_bytes_of(digits, mcp_decimal_format_u64(client->world->generation, digits))};
	mcp_store_set(&client->door.store, &row_of(key)->key, &record);
}

void plain_guarded_act(plain_client *client, step next) {
	mcp_cache cache = cache_of(client);
	switch (next.action) {
		case NOTHING:
			break;
		case LOOK:
		case HAS:
		case TAKE:
			look(client, next.key, next.action);
			break;
		case READ:
			read_row(client, next.key);
			break;
		case CHANGE:
			change_row(client, next.key);
			break;
		case STORE:
		case ADD:
		case REPLACE:
			store(client, next.key, next.action);
			break;
		case DELETE:
		case REMOVE:
			delete_key(client, next.key, next.action == DELETE);
			break;
		case PULL:
			pull(client, next.key);
			break;
		case REMEMBER:
			remember(client, next.key);
			break;
		case EXPIRE:
			mcp_cache_expire(&cache, &row_of(next.key)->key);
			break;
		case TOUCH:
			mcp_cache_touch(&cache, &row_of(next.key)->key, lifetime);
			break;
		case UPDATE:
			update(client, next.key);
			break;
		case SPOIL:
			spoil(client, next.key);
			break;
		case LOOK_BOTH:
			look_at_both(client);
			break;
		case STORE_BOTH:
			store_both(client);
			break;
	}
}

/* --- at rest --- */

static bool is_shown(plain_client *client, unsigned key, mcp_cache_entry *entry) {
	mcp_cache cache = cache_of(client);
	guarded_row *row = row_of(key);
	mcp_cache_get(&cache, &row->key, entry);
	if (!entry->has_value || entry->verdict == MCP_VERDICT_ELECTED) {
		return false;
	}
	unsigned version = version_of(row, entry->payload);
	if (is_outdated(row, version)) {
		plain_fail(client->world, "V2", "at rest version %u of key %u is shown, not %u", version,
			key, row->version);
	}
	return true;
}

void plain_guarded_check_at_rest(plain_client *client, unsigned key) {
	mcp_cache cache = cache_of(client);
	knowledge *known = known_by(client, key);
	mcp_cache_entry entry;
	if (is_shown(client, key, &entry) || client->world->log.violated != NULL) {
		return;
	}
	known->note.state = MCP_READ_STAMP_NONE;
	mcp_cache_guarded_stamp(&cache, &row_of(key)->key, &entry, &known->note);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = value_of(client, row_of(key)->version, digits);
	mcp_status status =
		mcp_cache_guarded_set(&cache, &row_of(key)->key, &value, HOLDOFF_MS, &known->note);
	if (status != MCP_OK || !is_shown(client, key, &entry)) {
		plain_fail(client->world, "V3", "a reader alone does not fill key %u: %d", key,
			(int)status);
	}
}
