/* The class McPatterns\Table: its methods, and reading and updating rows. */
/* SPDX-License-Identifier: MIT */
#include "../../core/backoff.h"
#include "../../patterns/table/table.h"
#include "../engine/compat.h"
#include "../engine/user_call.h"
#include "../host/environment.h"
#include "../member_set/class_member_set.h"
#include "../objects/classes.h"
#include "../objects/failure.h"
#include "../objects/object.h"
#include "../pooled/pooled_object.h"
#include "../value/value.h"
#include "php.h"

#include "class_table_arginfo.h"

typedef struct mcp_table_object {
	mcp_table_name key_name;
	uint64_t ttl_ms;
	uint32_t shards;
	mcp_named_object named;
} mcp_table_object;

/* Arguments of the pattern, on the stack of a method. Renew after user code. Points into itself, so it must not be
 * copied. */
typedef struct mcp_table_call {
	mcp_table_object *object;
	mcp_key_buffer buffer;
	mcp_key index_key;
	mcp_member_pruning pruning;
	mcp_table table;
} mcp_table_call;

static inline mcp_table_object *php_mcp_table_object_from(zend_object *object) {
	return (mcp_table_object *)((char *)object - offsetof(mcp_table_object, named.std));
}

static inline mcp_bytes php_mcp_table_object_name(const mcp_table_object *object) {
	return php_mcp_named_object_name(&object->named);
}

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_table_object *object = php_mcp_table_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_named_object_begin_debug_info(&object->named, is_temporary));
	if (object->named.pool != NULL) {
		php_mcp_object_add_seconds(Z_ARRVAL(info), "ttl", object->ttl_ms);
		add_assoc_long(&info, "shards", object->shards);
	}
	return Z_ARRVAL(info);
}

static void php_mcp_table_object_register(zend_class_entry *type) {
	type->create_object = create;
	php_mcp_named_object_handlers_init(&handlers, offsetof(mcp_table_object, named.std),
		get_debug_info);
}

/* Returns the object, or NULL with an Error if it was never constructed. */
static mcp_table_object *php_mcp_table_object_get(zend_object *std) {
	mcp_table_object *object = php_mcp_table_object_from(std);
	return php_mcp_object_require_constructed(std, object->named.pool) ? object : NULL;
}

static void php_mcp_table_call_renew(mcp_table_call *call, mcp_table_object *object) {
	mcp_bytes prefix = php_mcp_pool_prefix(object->named.pool);
	call->object = object;
	call->index_key = mcp_table_index_key(&call->buffer, prefix, &object->key_name);
	call->pruning = (mcp_member_pruning){mcp_table_prune, &call->table};
	call->table = (mcp_table){
		.index =
			{
				.store = php_mcp_pool_store(object->named.pool),
				.environment = php_mcp_environment_get(),
				.key = &call->index_key,
				.memory = php_mcp_member_changes_memory,
				.pruning = &call->pruning,
				.shards = object->shards,
				.compact_above = MCP_MEMBER_SET_COMPACT_ABOVE,
			},
		.prefix = prefix,
		.name = &object->key_name,
		.signing_keys = php_mcp_pool_format(object->named.pool)->signing_keys,
		.ttl_ms = object->ttl_ms,
	};
}

/* Throw about the row `id`, or about the index if it is NULL. */
static void php_mcp_table_call_throw(const mcp_table_call *call, mcp_status status,
	const char *action, const zend_string *id) {
	mcp_bytes name = php_mcp_table_object_name(call->object);
	mcp_store *failed =
		mcp_status_is_failure(status) ? mcp_store_failed(call->table.index.store) : NULL;
	if (status == MCP_NOT_STORED) {
		php_mcp_failure_throw_about(php_mcp_stored_value_exception, "The table", name,
			"has no space for the id: a shard of its index is full (use more shards), or the server is out of memory");
		return;
	}
	php_mcp_failure_throw(status, action,
		id != NULL ? mcp_bytes_of(ZSTR_VAL(id), ZSTR_LEN(id)) : name, failed);
}

static mcp_bytes bytes_of(const zend_string *id) {
	return mcp_bytes_of(ZSTR_VAL(id), ZSTR_LEN(id));
}

/* Read a row. Returns false with *value UNDEF if the row is missing or unreadable, or with an exception. */
static bool php_mcp_table_rows_get(mcp_table_call *call, zend_string *id, zval *value) {
	mcp_row row;
	mcp_status status = mcp_table_get(&call->table, bytes_of(id), &row);
	if (status != MCP_OK) {
		php_mcp_table_call_throw(call, status, "read the row", id);
		return false;
	}
	return row.is_there &&
		php_mcp_value_decode(value, row.payload, row.flags,
			php_mcp_pool_format(call->object->named.pool));
}

/* List the ids. Returns false with an exception. */
static bool php_mcp_table_rows_ids(mcp_table_call *call, zval *list, size_t *count) {
	mcp_status status = php_mcp_member_changes_read(&call->table.index, list, count);
	if (status != MCP_OK) {
		php_mcp_table_call_throw(call, status, "read the ids of the table", NULL);
	}
	return status == MCP_OK;
}

/* An id and its row. */
typedef struct kept {
	zend_string *id;      /* a reference */
	zend_string *payload; /* NULL: no row */
	uint32_t flags;
} kept;

typedef struct reading {
	size_t count, missing;
	size_t listed_bytes; /* of the ids in the index */
	kept *rows;
} reading;

static void end(reading *read) {
	for (size_t i = 0; i < read->count; i++) {
		zend_string_release(read->rows[i].id);
		if (read->rows[i].payload != NULL) {
			zend_string_release(read->rows[i].payload);
		}
	}
	efree(read->rows);
}

/* Start with distinct ids, because a multi-get needs distinct keys. */
static void begin(reading *read, HashTable *ids) {
	HashTable seen;
	zval *id;
	zend_hash_init(&seen, zend_hash_num_elements(ids), NULL, NULL, false);
	*read = (reading){.rows = safe_emalloc(zend_hash_num_elements(ids), sizeof(kept), 1)};
	ZEND_HASH_FOREACH_VAL(ids, id) {
		if (zend_hash_add_empty_element(&seen, Z_STR_P(id)) != NULL) {
			read->rows[read->count++] = (kept){.id = zend_string_copy(Z_STR_P(id))};
			read->listed_bytes += mcp_member_op_length(Z_STRLEN_P(id));
		}
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_destroy(&seen);
}

static mcp_status keep(const mcp_table_call *call, reading *read, const mcp_key *keys,
	const mcp_reply *replies) {
	for (size_t i = 0; i < read->count; i++) {
		mcp_row row;
		mcp_status status = mcp_table_look(&call->table, &keys[i], &replies[i], &row);
		if (status != MCP_OK) {
			return status;
		}
		read->missing += row.cas == 0;
		if (row.is_there) {
			read->rows[i].payload = zend_string_init(row.payload.data, row.payload.length, false);
			read->rows[i].flags = row.flags;
		}
	}
	return MCP_OK;
}

static mcp_status fetch(const mcp_table_call *call, reading *read) {
	size_t each = sizeof(mcp_key) + sizeof(mcp_reply) + sizeof(mcp_key_buffer);
	mcp_key *keys = safe_emalloc(read->count, each, 1);
	mcp_reply *replies = (mcp_reply *)(keys + read->count);
	mcp_key_buffer *buffers = (mcp_key_buffer *)(replies + read->count);
	for (size_t i = 0; i < read->count; i++) {
		keys[i] = mcp_table_row_key(&buffers[i], call->table.prefix, call->table.name,
			bytes_of(read->rows[i].id));
	}
	if (read->count > 0) {
		mcp_store_get_many(call->table.index.store, keys, read->count, replies);
	}
	mcp_status status = keep(call, read, keys, replies);
	efree(keys);
	return status;
}

static bool add_row(zval *rows, const kept *row, const mcp_format *format) {
	zval value;
	mcp_bytes payload = mcp_bytes_of(ZSTR_VAL(row->payload), ZSTR_LEN(row->payload));
	if (php_mcp_value_decode(&value, payload, row->flags, format)) {
		zend_symtable_update(Z_ARRVAL_P(rows), row->id, &value);
	}
	return EG(exception) == NULL;
}

static bool decode(const reading *read, const mcp_format *format, zval *rows) {
	bool is_done = true;
	array_init_size(rows, (uint32_t)(read->count - read->missing));
	for (size_t i = 0; i < read->count && is_done; i++) {
		is_done = read->rows[i].payload == NULL || add_row(rows, &read->rows[i], format);
	}
	if (!is_done) {
		zval_ptr_dtor(rows);
		ZVAL_UNDEF(rows);
	}
	return is_done;
}

/* Read the rows of these ids, which are strings, as id => row. Returns false with an exception. `tidies`: compact
 * the index if most ids have no row. */
static bool php_mcp_table_rows_read(mcp_table_call *call, HashTable *ids, bool tidies, zval *rows) {
	reading read;
	begin(&read, ids);
	mcp_status status = fetch(call, &read);
	bool is_read = status == MCP_OK;
	if (!is_read) {
		php_mcp_table_call_throw(call, status, "read the rows of the table", NULL);
	} else if (tidies && read.missing > read.count / 2 &&
		read.listed_bytes > call->table.index.compact_above) {
		mcp_table_tidy(&call->table);
	}
	is_read = is_read && decode(&read, php_mcp_pool_format(call->object->named.pool), rows);
	end(&read);
	return is_read;
}

/* Encoding and $change run user code: begin or renew a call only afterwards. */

/* That many conflicts in a row indicate a bug, not contention. */
#define ROUNDS_MAX 1000

/* Store the row. Returns false with an exception. */
static bool php_mcp_table_update_put(mcp_table_object *object, zend_string *id, zval *row) {
	mcp_encoded_value encoded;
	if (!php_mcp_value_encode(&encoded, row, php_mcp_pool_format(object->named.pool),
			bytes_of(id))) {
		return false;
	}
	mcp_table_call call;
	php_mcp_table_call_renew(&call, object);
	mcp_status status = mcp_table_put(&call.table, bytes_of(id), encoded.payload, encoded.flags);
	php_mcp_value_release(&encoded);
	if (status != MCP_OK) {
		php_mcp_table_call_throw(&call, status, "put the row", id);
	}
	return status == MCP_OK;
}

/* Reads the current row; null if it is missing or unreadable. False with an exception. */
static bool read_old(mcp_table_object *object, zend_string *id, zval *old, uint64_t *stamp) {
	mcp_table_call call;
	mcp_row row;
	php_mcp_table_call_renew(&call, object);
	mcp_status status = mcp_table_get(&call.table, bytes_of(id), &row);
	if (status != MCP_OK) {
		php_mcp_table_call_throw(&call, status, "update the row", id);
		return false;
	}
	*stamp = row.stamp;
	if (!row.is_there ||
		!php_mcp_value_decode(old, row.payload, row.flags,
			php_mcp_pool_format(object->named.pool))) {
		ZVAL_NULL(old);
	}
	return EG(exception) == NULL;
}

static bool run_change(mcp_user_call *change, zval *old, zval *changed) {
	bool is_done = php_mcp_user_call_run(change, old, changed);
	zval_ptr_dtor(old);
	if (is_done && EG(exception) != NULL) {
		zval_ptr_dtor(changed);
		is_done = false;
	}
	return is_done;
}

/* Returns MCP_EXISTS if another process stored first; MCP_REFUSED with an exception. */
static mcp_status store_changed(mcp_table_object *object, zend_string *id, uint64_t stamp,
	zval *changed) {
	mcp_encoded_value encoded;
	if (!php_mcp_value_encode(&encoded, changed, php_mcp_pool_format(object->named.pool),
			bytes_of(id))) {
		return MCP_REFUSED;
	}
	mcp_table_call call;
	php_mcp_table_call_renew(&call, object);
	mcp_status status =
		mcp_table_update(&call.table, bytes_of(id), stamp, encoded.payload, encoded.flags);
	php_mcp_value_release(&encoded);
	if (status != MCP_OK && status != MCP_EXISTS) {
		php_mcp_table_call_throw(&call, status, "update the row", id);
		status = MCP_REFUSED;
	}
	return status;
}

static mcp_status try_update(mcp_table_object *object, zend_string *id, mcp_user_call *change,
	zval *changed) {
	zval old;
	uint64_t stamp;
	if (!read_old(object, id, &old, &stamp) || !run_change(change, &old, changed)) {
		return MCP_REFUSED;
	}
	mcp_status status = store_changed(object, id, stamp, changed);
	if (status != MCP_OK) {
		zval_ptr_dtor(changed);
	}
	return status;
}

/* Call $change until its result is stored, and return the result. Returns false with an exception. */
static bool php_mcp_table_update_change(mcp_table_object *object, zend_string *id,
	mcp_user_call *change, zval *changed) {
	const mcp_environment *environment = php_mcp_environment_get();
	mcp_backoff backoff = mcp_backoff_for_contention();
	mcp_status status = try_update(object, id, change, changed);
	for (int round = 1; status == MCP_EXISTS && round < ROUNDS_MAX; round++) {
		mcp_sleep_ms(environment,
			mcp_backoff_next_ms(&backoff, mcp_random_u64(environment),
				mcp_monotonic_ms(environment), UINT64_MAX));
		status = try_update(object, id, change, changed);
	}
	if (status == MCP_EXISTS) {
		php_mcp_failure_throw(status, "update the row", bytes_of(id), NULL);
	}
	if (status != MCP_OK) {
		ZVAL_UNDEF(changed);
	}
	return status == MCP_OK;
}

ZEND_METHOD(McPatterns_Table, __construct) {
	mcp_table_object *object = php_mcp_table_object_from(Z_OBJ_P(ZEND_THIS));
	mcp_member_set_arguments arguments;
	(void)return_value;
	if (!php_mcp_member_set_arguments_parse(execute_data, &object->named, &arguments)) {
		RETURN_THROWS();
	}
	object->ttl_ms = arguments.ttl_ms;
	object->shards = arguments.shards;
	php_mcp_named_object_hold(&object->named, arguments.pool, arguments.name);
	mcp_table_name_make(&object->key_name, php_mcp_table_object_name(object));
}

/* Returns NULL with an exception if the object was never constructed or the id is invalid. */
static mcp_table_object *object_for(zend_object *std, const zend_string *id) {
	mcp_table_object *object = php_mcp_table_object_get(std);
	return object != NULL && php_mcp_member_changes_judge(id, 1) ? object : NULL;
}

ZEND_METHOD(McPatterns_Table, put) {
	zend_string *id;
	zval *row;
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(id)
		Z_PARAM_ZVAL(row)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL || !php_mcp_table_update_put(object, id, row)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(McPatterns_Table, get) {
	zend_string *id;
	zval *fallback = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(id)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(fallback)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	php_mcp_table_call_renew(&call, object);
	if (php_mcp_table_rows_get(&call, id, return_value)) {
		return;
	}
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	if (fallback != NULL) {
		RETURN_COPY_DEREF(fallback);
	}
}

ZEND_METHOD(McPatterns_Table, has) {
	zend_string *id;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(id)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	mcp_row row;
	php_mcp_table_call_renew(&call, object);
	mcp_status status = mcp_table_get(&call.table, mcp_bytes_of(ZSTR_VAL(id), ZSTR_LEN(id)), &row);
	if (status != MCP_OK) {
		php_mcp_table_call_throw(&call, status, "read the row", id);
		RETURN_THROWS();
	}
	RETURN_BOOL(row.is_there);
}

ZEND_METHOD(McPatterns_Table, update) {
	zend_string *id;
	mcp_user_call change = php_mcp_user_call_none();
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(id)
		Z_PARAM_FUNC(change.info, change.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL || !php_mcp_table_update_change(object, id, &change, return_value)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(McPatterns_Table, delete) {
	zend_string *id;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(id)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	php_mcp_table_call_renew(&call, object);
	mcp_status status = mcp_table_delete(&call.table, mcp_bytes_of(ZSTR_VAL(id), ZSTR_LEN(id)));
	if (status != MCP_OK) {
		php_mcp_table_call_throw(&call, status, "delete the row", id);
	}
}

/* Read the ids. Returns false with an exception. */
static bool read_ids(mcp_table_call *call, zend_object *std, zval *list, size_t *count) {
	mcp_table_object *object = php_mcp_table_object_get(std);
	if (object == NULL) {
		return false;
	}
	php_mcp_table_call_renew(call, object);
	return php_mcp_table_rows_ids(call, list, count);
}

ZEND_METHOD(McPatterns_Table, ids) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_table_call call;
	size_t count;
	if (!read_ids(&call, Z_OBJ_P(ZEND_THIS), return_value, &count)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(McPatterns_Table, count) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_table_call call;
	size_t count;
	if (!read_ids(&call, Z_OBJ_P(ZEND_THIS), NULL, &count)) {
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)count);
}

/* Text of an id of rows(), which may be an integer, because array keys are converted. Returns NULL with an
 * exception. */
static zend_string *id_of(zval *id) {
	ZVAL_DEREF(id);
	if (Z_TYPE_P(id) != IS_STRING && Z_TYPE_P(id) != IS_LONG) {
		zend_argument_type_error(1, "must be an array of strings, %s found",
			zend_zval_type_name(id));
		return NULL;
	}
	zend_string *text = zval_get_string(id);
	if (ZSTR_LEN(text) == 0) {
		zend_argument_value_error(1, "must not contain an empty id");
	} else if (php_mcp_member_changes_judge(text, 1)) {
		return text;
	}
	zend_string_release(text);
	return NULL;
}

/* Copy the ids as strings into a new list. Returns false with an exception. */
static bool copy_ids(HashTable *ids, zval *list) {
	zval *id;
	array_init_size(list, zend_hash_num_elements(ids));
	ZEND_HASH_FOREACH_VAL(ids, id) {
		zend_string *text = id_of(id);
		if (text == NULL) {
			zval_ptr_dtor(list);
			return false;
		}
		add_next_index_str(list, text);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(McPatterns_Table, rows) {
	HashTable *given = NULL;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT_OR_NULL(given)
	ZEND_PARSE_PARAMETERS_END();

	mcp_table_object *object = php_mcp_table_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	zval ids;
	size_t count;
	php_mcp_table_call_renew(&call, object);
	if (given != NULL ? !copy_ids(given, &ids) : !php_mcp_table_rows_ids(&call, &ids, &count)) {
		RETURN_THROWS();
	}
	php_mcp_table_rows_read(&call, Z_ARRVAL(ids), given == NULL, return_value);
	zval_ptr_dtor(&ids);
}

ZEND_METHOD(McPatterns_Table, clear) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_table_object *object = php_mcp_table_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	php_mcp_table_call_renew(&call, object);
	mcp_status status = mcp_table_clear(&call.table);
	if (status != MCP_OK) {
		php_mcp_table_call_throw(&call, status, "clear the table", NULL);
	}
}

void php_mcp_class_table_register(void) {
	php_mcp_table_object_register(register_class_McPatterns_Table());
}
