/* Encodes some values, and then stores those together: encoding is user code, between whose runs nothing is under way. */
/* SPDX-License-Identifier: MIT */
#include "remember_many_publish.h"

#include "../../engine/deferred.h"
#include "../near/cache_nearby.h"

/* So many bytes are kept encoded at once, or one value. */
#define BYTES_TOGETHER_MAX ((size_t)1024 * 1024)

/* A value that waits to be stored with others. */
typedef struct waiting_value {
	zend_string *name;     /* borrowed of the turns */
	mcp_remembering *turn; /* likewise */
	zval value;            /* a reference; for the caller */
	mcp_encoded_value encoded;
} waiting_value;

typedef struct publishing {
	mcp_remembering_many *call;
	uint32_t compute_ms;
	uint32_t count;
	size_t bytes;
	mcp_deferred deferred;
	waiting_value values[MCP_CACHE_BATCH_MAX];
	/* For the time of a store; of those that go together. */
	uint32_t places[MCP_CACHE_BATCH_MAX];
	mcp_cache_result results[MCP_CACHE_BATCH_MAX];
	mcp_key_buffer buffers[MCP_CACHE_BATCH_MAX];
} publishing;

/* Answers with the value, which is given over, or keeps the exception that keeps the caller from it. False for an exit. */
static bool answer(publishing *self, zend_string *name, zval *value, bool is_for_caller) {
	if (is_for_caller) {
		php_mcp_remembering_many_answer(self->call, name, value);
		return true;
	}
	zval_ptr_dtor(value);
	return php_mcp_deferred_keep(&self->deferred);
}

static mcp_cache_value value_of(const publishing *self, const waiting_value *waiting) {
	return (mcp_cache_value){
		.compute_ms = self->compute_ms,
		.lifetime = waiting->turn->options.lifetime,
	};
}

/* Sorts out those that go together. Returns their number. */
static uint32_t collect(publishing *self) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < self->count; i++) {
		waiting_value *waiting = &self->values[i];
		if (php_mcp_remembering_goes_together(waiting->turn)) {
			mcp_cache_object *object = waiting->turn->object;
			mcp_cache_result *result = &self->results[count];
			result->key = php_mcp_cache_object_key(object->pool, object->scope, waiting->name,
				&self->buffers[count]);
			result->claim = &waiting->turn->claim;
			result->value = value_of(self, waiting);
			php_mcp_remembering_complete(waiting->turn, &waiting->encoded, &result->value);
			self->places[count++] = i;
		}
	}
	return count;
}

/* Stores under their claims those that go together, and notes what came of each. All have one cache and its lease. */
static uint32_t store_together(publishing *self) {
	uint32_t count = collect(self);
	if (count == 0) {
		return 0;
	}
	mcp_cache_call call;
	mcp_near near;
	php_mcp_remembering_renew(self->values[self->places[0]].turn, &call);
	if (call.object->memo != NULL) {
		php_mcp_cache_nearby_begin(&near, call.object);
		call.cache.near = &near;
	}
	mcp_cache_publish_many(&call.cache, self->results, count);
	for (uint32_t i = 0; i < count; i++) {
		php_mcp_remembering_note_stored(self->values[self->places[i]].turn, &self->results[i].key,
			self->results[i].status);
	}
	return count;
}

/* Stores and answers all that wait. False for an exit. */
static bool store_all(publishing *self) {
	uint32_t together = store_together(self), next = 0, count = self->count;
	bool goes_on = true;
	self->count = 0;
	self->bytes = 0;
	for (uint32_t i = 0; i < count; i++) {
		waiting_value *waiting = &self->values[i];
		bool is_for_caller = next < together && self->places[next] == i
			? php_mcp_remembering_conclude(waiting->turn, self->results[next++].status)
			: php_mcp_remembering_store(waiting->turn, &waiting->encoded, value_of(self, waiting));
		php_mcp_value_release(&waiting->encoded);
		goes_on &= answer(self, waiting->name, &waiting->value, is_for_caller);
	}
	return goes_on;
}

static void drop_all(publishing *self) {
	for (uint32_t i = 0; i < self->count; i++) {
		php_mcp_value_release(&self->values[i].encoded);
		zval_ptr_dtor(&self->values[i].value);
	}
}

static bool is_full(const publishing *self) {
	return self->count == MCP_CACHE_BATCH_MAX || self->bytes >= BYTES_TOGETHER_MAX;
}

/* Encodes a value, which is given over, to be stored with others. False for an exit. */
static bool add(publishing *self, zend_string *name, mcp_remembering *turn, zval *value) {
	mcp_encoded_value encoded;
	bool is_for_caller;
	if (!php_mcp_remembering_encode(turn, value, &encoded, &is_for_caller)) {
		return answer(self, name, value, is_for_caller);
	}
	waiting_value *waiting = &self->values[self->count++];
	*waiting = (waiting_value){name, turn, *value, encoded};
	self->bytes += encoded.payload.length;
	return !is_full(self) || store_all(self);
}

static bool publish_one(publishing *self, zend_string *name, mcp_remembering *turn,
	zval *computed) {
	zval value;
	ZVAL_NULL(&value);
	if (computed == NULL) {
		php_mcp_remembering_abandon(turn, false);
		return answer(self, name, &value, true);
	}
	ZVAL_COPY_DEREF(&value, computed);
	return add(self, name, turn, &value);
}

void php_mcp_remember_many_publish(mcp_remembering_many *call, HashTable *computed,
	uint32_t compute_ms) {
	publishing *self = emalloc(sizeof(*self));
	self->call = call;
	self->compute_ms = compute_ms;
	self->count = 0;
	self->bytes = 0;
	self->deferred = (mcp_deferred){0};
	bool goes_on = true;
	zend_string *name;
	zval *turn;
	ZEND_HASH_FOREACH_STR_KEY_VAL(&call->turns, name, turn) {
		goes_on = publish_one(self, name, Z_PTR_P(turn), zend_symtable_find(computed, name));
		if (!goes_on) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	if (goes_on) {
		store_all(self);
	} else {
		drop_all(self);
	}
	php_mcp_deferred_throw(&self->deferred);
	efree(self);
}
