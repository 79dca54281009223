/* Decodes served values, and encodes and writes new values. Encoding runs user code: begin or renew a call only
 * after it. */
/* SPDX-License-Identifier: MIT */
#include "cache_value.h"

#include "../../../core/backoff.h"
#include "../../engine/user_call.h"
#include "../../host/environment.h"
#include "../../objects/failure.h"
#include "../../pool/pool_listener.h"
#include "../claims/cache_claims.h"
#include "../entry/class_entry.h"
#include "../reads/kept_reads.h"
#include "Zend/zend_exceptions.h"
#include "php_mcpatterns.h"

/* --- the end of a claim of get() or lookup(), after a reply --- */

static void count_time(mcp_cache_object *object, const mcp_held_claim *held) {
	uint32_t compute_ms = php_mcp_cache_claims_book_ms(held);
	php_mcp_cache_object_count_computation(object, compute_ms);
	php_mcp_cache_object_count_rebuild(object, held->name, compute_ms);
}

/* Without a reply, keep the claim: the caller can retry, and the end of the request releases it. */
static void end_if_answered(mcp_held_claim *held, mcp_status status) {
	if (status == MCP_OK || status == MCP_NOT_STORED) {
		php_mcp_cache_claims_end(held);
	}
}

/* Publish with the tags of this object, and with the tag versions from before the election that are kept with the
 * claim. */
static mcp_status publish_tagged(mcp_cache_call *call, const mcp_held_claim *held,
	mcp_cache_value *value) {
	mcp_captured_tags captured;
	mcp_status status = mcp_cache_capture_of(&call->cache, &call->key,
		php_mcp_cache_object_view_tag_versions(held->tags), &captured);
	if (status != MCP_OK) {
		php_mcp_cache_object_tally(call->object, MCP_COUNT_ERRORS, 1);
		return status;
	}
	value->tags = mcp_captured_tags_view(&captured);
	status = mcp_cache_publish(&call->cache, &call->key, &held->claim, value);
	if (status == MCP_OK && php_mcp_kept_reads_need_stamps(call->object)) {
		php_mcp_kept_reads_note_published(call, &held->claim);
	}
	return status;
}

/* Stores under the newest claim of get() or lookup() on the key, with its compute time. A claim of this object comes
 * first. MCP_NOT_STORED: no claim, or overtaken by this process. No request. */
static mcp_status publish_under_claim(mcp_cache_call *call, zend_string *name,
	const mcp_encoded_value *encoded, mcp_lifetime lifetime) {
	mcp_held_claim *held = php_mcp_cache_claims_find(call->object, name);
	if (held == NULL) {
		return MCP_NOT_STORED;
	}
	mcp_cache_value value = php_mcp_cache_value_of(encoded,
		php_mcp_environment_elapsed_ms(held->taken_ns), lifetime, mcp_bytes_none());
	mcp_status status = MCP_NOT_STORED;
	if (held->is_overtaken) {
		php_mcp_cache_object_count_refused(call->object, name);
	} else {
		status = publish_tagged(call, held, &value);
	}
	count_time(call->object, held);
	end_if_answered(held, status);
	php_mcp_kept_reads_note_stored(call->object, &call->key, status);
	return status;
}

static mcp_status abandon_held(mcp_cache_call *call, mcp_held_claim *held) {
	if (held == NULL || held->is_overtaken) {
		return MCP_NOT_STORED;
	}
	mcp_status status = mcp_cache_abandon(&call->cache, &call->key, &held->claim, false);
	end_if_answered(held, status);
	return status;
}

mcp_status php_mcp_cache_value_abandon_claim(mcp_cache_call *call, zend_string *name) {
	return abandon_held(call, php_mcp_cache_claims_find(call->object, name));
}

void php_mcp_cache_value_take_back_claim(mcp_cache_object *object, zend_string *name,
	const mcp_claim *claim) {
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	abandon_held(&call, php_mcp_cache_claims_find_token(object, name, claim->token));
}

void php_mcp_cache_value_fulfill_claim(mcp_cache_object *object, zend_string *name) {
	const mcp_held_claim *held = php_mcp_cache_claims_newest(object, name);
	if (held != NULL && !held->is_a_calls) { /* a remember() counts its own time */
		count_time(object, held);
	}
	php_mcp_cache_claims_overtake(object, name);
}

/* --- failures --- */

MCP_SELDOM void php_mcp_cache_value_report_failure(const mcp_cache_object *object,
	mcp_error_kind kind, const mcp_key *key, zend_string *name) {
	mcp_error_event trouble = {
		.kind = kind,
		.key = key,
		.name = name,
		.exception = EG(exception),
	};
	php_mcp_pool_listener_report(object->pool, &trouble);
}

void php_mcp_cache_value_report_unstorable(const mcp_cache_object *object, zend_string *name,
	bool is_of_user) {
	zend_object *thrown = EG(exception);
	if (thrown != NULL &&
		instanceof_function(thrown->ce, php_mcp_unstorable_interface) != is_of_user) {
		mcp_key_buffer buffer;
		mcp_key key = php_mcp_cache_object_key(object, name, &buffer);
		php_mcp_cache_value_report_failure(object, MCP_ERROR_KIND_UNSTORABLE, &key, name);
	}
}

/* Counts and reports an unreadable value. Returns false. An exception that user code threw stays set. */
static bool report_undecoded(mcp_cache_object *object, const mcp_key *key) {
	php_mcp_cache_object_tally(object, MCP_COUNT_UNREADABLE, 1);
	php_mcp_kept_reads_note_undecodable(object, key);
	if (EG(exception) == NULL || !php_mcp_user_call_is_exiting()) {
		php_mcp_cache_value_report_failure(object, MCP_ERROR_KIND_UNREADABLE, key, NULL);
	}
	return false;
}

bool php_mcp_cache_value_contain_exception(void) {
	if (!php_mcp_user_call_is_exiting()) {
		zend_clear_exception();
	}
	return false;
}

static MCP_SELDOM void throw_too_large(const mcp_cache_call *call, zend_string *name) {
	size_t limit = mcp_store_item_max(call->cache.store, &call->key, 0);
	bool is_ours = limit == (size_t)MCP_G(item_size_limit);
	if (!is_ours) {
		limit += MCP_STORE_ITEM_OVERHEAD;
	}
	bool is_even = limit % 1048576 == 0;
	char reason[80];
	snprintf(reason, sizeof(reason), "it is larger than %s of %zu %s",
		is_ours ? "mcpatterns.item_size_limit" : "memcached's limit",
		is_even ? limit / 1048576 : limit, is_even ? "MiB" : "bytes");
	php_mcp_failure_throw_because(MCP_TOO_LARGE, "store the value of", php_mcp_bytes_of(name),
		reason);
	php_mcp_cache_value_report_unstorable(call->object, name, false);
}

static zend_always_inline void note_found(mcp_cache_call *call, zend_string *name,
	mcp_cache_entry *entry, bool is_of_has) {
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		php_mcp_cache_claims_add(call->object, name, entry, false);
	}
	if (UNEXPECTED(call->cache.tags != NULL)) {
		bool is_unsaid = is_of_has && !entry->has_value; /* has() differs from get() here */
		php_mcp_kept_reads_note_tags(call, name, entry,
			is_unsaid ? MCP_READ_GAVE_UNKNOWN : mcp_cache_read_gave(entry));
	}
	if (UNEXPECTED(php_mcp_kept_reads_need_stamps(call->object))) {
		php_mcp_kept_reads_note_stamp(call, entry);
	}
}

void php_mcp_cache_value_note_read(mcp_cache_call *call, zend_string *name,
	mcp_cache_entry *entry) {
	note_found(call, name, entry, false);
}

bool php_mcp_cache_value_handle_entry(mcp_cache_call *call, zend_string *name,
	mcp_cache_entry *entry) {
	php_mcp_cache_value_throw_status(call, entry->trouble, name);
	if (EG(exception) != NULL) {
		return false;
	}
	note_found(call, name, entry, false);
	return true;
}

bool php_mcp_cache_value_encode(mcp_encoded_value *encoded, const mcp_cache_object *object,
	zend_string *name, zval *value) {
	return php_mcp_cache_value_encode_as(encoded, object, php_mcp_pool_format(object->pool), name,
		value);
}

bool php_mcp_cache_value_encode_as(mcp_encoded_value *encoded, const mcp_cache_object *object,
	const mcp_format *format, zend_string *name, zval *value) {
	if (php_mcp_value_encode(encoded, value, format, php_mcp_bytes_of(name))) {
		return true;
	}
	php_mcp_cache_value_report_unstorable(object, name, false);
	return false;
}

bool php_mcp_cache_value_decode_payload(mcp_cache_object *object, const mcp_key *key,
	mcp_bytes payload, uint32_t flags, zval *value) {
	return php_mcp_value_decode(value, payload, flags, php_mcp_pool_format(object->pool)) ||
		report_undecoded(object, key);
}

bool php_mcp_cache_value_decode_other(mcp_cache_call *call, const mcp_cache_entry *entry,
	zval *value) {
	if (entry->has_value) {
		const mcp_format *format = php_mcp_pool_format(call->object->pool);
		return php_mcp_value_decode(value, entry->payload, entry->flags, format) ||
			report_undecoded(call->object, &call->key);
	}
	if (entry->is_unreadable) {
		php_mcp_cache_value_report_failure(call->object, MCP_ERROR_KIND_UNREADABLE, &call->key,
			NULL);
	}
	return false;
}

bool php_mcp_cache_value_make_entry(mcp_cache_call *call, zend_string *name, mcp_cache_reader read,
	zval *story) {
	mcp_cache_entry entry;
	if (!php_mcp_cache_value_read(call, name, read, &entry)) {
		return false;
	}
	uint64_t now_ms = mcp_wall_ms(call->cache.environment);
	zval value;
	bool is_readable = php_mcp_cache_value_decode(call, &entry, &value);
	if (EG(exception) != NULL) {
		if (entry.verdict == MCP_VERDICT_ELECTED) {
			php_mcp_cache_value_take_back_claim(call->object, name, &entry.claim);
		}
		return false;
	}
	php_mcp_class_entry_create(story, &entry, is_readable ? &value : NULL, now_ms);
	return true;
}

bool php_mcp_cache_value_exists(mcp_cache_call *call, zend_string *name) {
	mcp_cache_entry entry;
	mcp_cache_peek(&call->cache, &call->key, &entry);
	note_found(call, name, &entry, true);
	zval value;
	if (!php_mcp_cache_value_decode(call, &entry, &value)) {
		return false;
	}
	zval_ptr_dtor(&value);
	return true;
}

void php_mcp_cache_value_throw_status(const mcp_cache_call *call, mcp_status status,
	zend_string *name) {
	if (status == MCP_TOO_LARGE) {
		throw_too_large(call, name);
	} else if (status == MCP_NO_CAS) {
		php_mcp_failure_throw_for_key(status, "change", php_mcp_bytes_of(name), call->cache.store,
			&call->key);
	}
}

mcp_status php_mcp_cache_value_write(mcp_cache_call *call, zend_string *name,
	const mcp_encoded_value *encoded, mcp_lifetime lifetime, mcp_cache_writer write) {
	mcp_captured_tags captured;
	captured.length = 0;
	mcp_status status = MCP_OK;
	bool needs_stamps = php_mcp_kept_reads_need_stamps(call->object);
	bool are_guessed = false;
	if (call->cache.tags != NULL) {
		bool may_guess = !needs_stamps && (write == mcp_cache_set || write == mcp_cache_add);
		status =
			php_mcp_kept_reads_capture_tags(call, name, &captured, may_guess ? &are_guessed : NULL);
	}
	if (status != MCP_OK) {
		php_mcp_cache_object_tally(call->object, MCP_COUNT_ERRORS, 1);
		return status;
	}
	bool may_fulfil = php_mcp_cache_claims_are_held();
	mcp_cache_value value = php_mcp_cache_value_of(encoded,
		may_fulfil ? php_mcp_cache_claims_age_ms(call->object, name) : 0, lifetime,
		mcp_captured_tags_view(&captured));
	value.tags_are_guessed = are_guessed;
	status = UNEXPECTED(needs_stamps) ? php_mcp_kept_reads_store(call, &value, write)
									  : write(&call->cache, &call->key, &value);
	php_mcp_kept_reads_note_stored(call->object, &call->key, status);
	if (may_fulfil && status == MCP_OK) {
		php_mcp_cache_value_fulfill_claim(call->object, name);
	}
	return status;
}

/* Encodes and writes, for publish under the claim that this process holds. */
static zend_always_inline bool store(const mcp_cache_storing *storing, mcp_cache_writer write,
	bool is_publish) {
	mcp_encoded_value encoded;
	if (!php_mcp_cache_value_encode(&encoded, storing->object, storing->name, storing->value)) {
		return false;
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, storing->object, storing->name);
	mcp_status status = is_publish
		? publish_under_claim(&call, storing->name, &encoded, storing->lifetime)
		: php_mcp_cache_value_write(&call, storing->name, &encoded, storing->lifetime, write);
	php_mcp_value_release(&encoded);
	php_mcp_cache_value_throw_status(&call, status, storing->name);
	return status == MCP_OK;
}

bool php_mcp_cache_value_store(const mcp_cache_storing *storing, mcp_cache_writer write) {
	return store(storing, write, false);
}

bool php_mcp_cache_value_publish(const mcp_cache_storing *storing) {
	return store(storing, NULL, true);
}

/* --- methods that change the stored value: pull, delete, expire, touch, increment and update --- */

bool php_mcp_cache_value_pull(mcp_cache_call *call, zend_string *name, zval *value) {
	mcp_cache_entry entry;
	mcp_status status = mcp_cache_pull(&call->cache, &call->key, &entry);
	php_mcp_kept_reads_note_deleted(call->object, &call->key, status);
	php_mcp_cache_value_throw_status(call, status, name);
	if (status == MCP_EXISTS) {
		php_mcp_failure_throw(status, "pull", php_mcp_bytes_of(name), NULL);
	}
	if (status != MCP_OK) {
		return false;
	}
	php_mcp_cache_claims_overtake(call->object, name);
	return php_mcp_cache_value_decode(call, &entry, value);
}

bool php_mcp_cache_value_finish_delete(mcp_cache_call *call, zend_string *name, mcp_status status) {
	php_mcp_kept_reads_note_deleted(call->object, &call->key, status);
	if (status == MCP_OK) {
		php_mcp_cache_claims_overtake(call->object, name);
	}
	php_mcp_cache_value_throw_status(call, status, name);
	return status == MCP_OK;
}

bool php_mcp_cache_value_increment(mcp_cache_call *call, zend_string *name, int64_t by,
	const mcp_cache_initial *initial, int64_t *number) {
	mcp_status status = mcp_cache_increment_from(&call->cache, &call->key, by, initial, number);
	if (EXPECTED(status == MCP_OK)) {
		return true;
	}
	if (status == MCP_NOT_A_NUMBER || status == MCP_OUT_OF_RANGE) {
		php_mcp_failure_throw_because(status, "increment", php_mcp_bytes_of(name),
			status == MCP_NOT_A_NUMBER ? "its value is not an integer"
									   : "the result would exceed the range of integers");
	}
	php_mcp_cache_value_throw_status(call, status, name);
	return false;
}

/* --- update --- */

/* Maximum number of lost rounds in a row. More indicate a bug in the calling code. */
#define UPDATE_ROUNDS_MAX 1000

typedef struct updating {
	mcp_cache_object *object;
	zend_string *name;
	mcp_lifetime lifetime;
	mcp_user_call change;
	bool has_lost;          /* in a round: the next round freezes the counter */
	mcp_captured_tags tags; /* versions from the read, before $change ran */
} updating;

static mcp_status store_changed(updating *update, const mcp_cache_seen *seen, zval *changed) {
	mcp_encoded_value encoded;
	if (!php_mcp_cache_value_encode(&encoded, update->object, update->name, changed)) {
		return MCP_REFUSED;
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, update->object, update->name);
	mcp_cache_value value = php_mcp_cache_value_of(&encoded, 0, update->lifetime,
		mcp_captured_tags_view(&update->tags));
	value.signer = update->tags.signer;
	mcp_status status = mcp_cache_update(&call.cache, &call.key, seen, &value);
	php_mcp_kept_reads_note_stored(update->object, &call.key, status);
	php_mcp_value_release(&encoded);
	php_mcp_cache_value_throw_status(&call, status, update->name);
	return status;
}

static void throw_for_update(const updating *update, mcp_status status) {
	if (EG(exception) != NULL) {
		return;
	}
	if (status == MCP_EXISTS) {
		php_mcp_cache_object_tally(update->object, MCP_COUNT_GAVE_UP, 1);
		php_mcp_failure_throw_because(status, "update", php_mcp_bytes_of(update->name),
			"contention: other clients, or $change itself, changed it " ZEND_TOSTR(
				UPDATE_ROUNDS_MAX) " times in a row");
		return;
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, update->object, update->name);
	php_mcp_failure_throw_for_key(status, "update", php_mcp_bytes_of(update->name),
		call.cache.store, &call.key);
}

/* One round: read, change, store. MCP_EXISTS: another caller stored first. */
static mcp_status try_update(updating *update, zval *changed) {
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, update->object, update->name);
	mcp_cache_entry entry;
	mcp_proof proof = {0};
	if (update->has_lost) {
		mcp_cache_read_still(&call.cache, &call.key, &entry);
	} else {
		mcp_cache_peek_to_update(&call.cache, &call.key, &entry, &proof);
	}
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	mcp_cache_seen seen = mcp_cache_see(&entry);
	seen.proof = proof;
	if (!mcp_cache_capture_kept(&call.cache, &entry, &update->tags)) {
		/* A tag must not be dropped, because its invalidation would no longer affect the value. */
		php_mcp_failure_throw_about(php_mcp_stored_value_exception, "The value of",
			php_mcp_bytes_of(update->name),
			"has more tags, with those of the view, than a value can have; the previous value was"
			" kept");
		return MCP_REFUSED;
	}
	zval old;
	if (!php_mcp_cache_value_decode(&call, &entry, &old)) {
		ZVAL_NULL(&old);
	}
	if (EG(exception) != NULL) {
		return MCP_REFUSED;
	}
	mcp_status status = MCP_OK;
	if (update->object->tags !=
		NULL) { /* create tags that the read did not find, before $change runs */
		php_mcp_cache_object_renew(&call, update->object, update->name);
		status = mcp_cache_complete_capture(&call.cache, &call.key, &update->tags);
	}
	if (status != MCP_OK) {
		zval_ptr_dtor(&old);
		return status;
	}
	bool is_done = php_mcp_user_call_run(&update->change, &old, changed);
	zval_ptr_dtor(&old);
	if (is_done && EG(exception) != NULL) { /* exception of the previous value's destructor */
		zval_ptr_dtor(changed);
		is_done = false;
	}
	if (!is_done) {
		return MCP_REFUSED;
	}
	status = store_changed(update, &seen, changed);
	if (status != MCP_OK) {
		zval_ptr_dtor(changed);
	}
	return status;
}

bool php_mcp_cache_value_update(mcp_cache_object *object, zend_string *name,
	const mcp_user_call *change, mcp_lifetime lifetime, zval *changed) {
	updating update; /* its tags are set in each round; clearing them is expensive */
	update.object = object;
	update.name = name;
	update.lifetime = lifetime;
	update.change = *change;
	update.has_lost = false;
	const mcp_environment *environment = php_mcp_environment_get();
	mcp_backoff backoff = mcp_backoff_for_contention();
	mcp_status status = try_update(&update, changed);
	for (int round = 1; status == MCP_EXISTS && round < UPDATE_ROUNDS_MAX; round++) {
		mcp_sleep_ms(environment,
			mcp_backoff_next_ms(&backoff, mcp_random_u64(environment),
				mcp_monotonic_ms(environment), UINT64_MAX));
		update.has_lost = true;
		status = try_update(&update, changed);
	}
	if (status != MCP_OK) {
		throw_for_update(&update, status);
		ZVAL_UNDEF(changed);
		return false;
	}
	php_mcp_cache_value_fulfill_claim(object, name);
	return true;
}
