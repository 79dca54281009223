/* The class McPatterns\Table: its methods, and reading and updating rows. */
/* SPDX-License-Identifier: MIT */
#include "../../core/backoff.h"
#include "../../patterns/table/table.h"
#include "../engine/user_call.h"
#include "../host/environment.h"
#include "../member_set/class_member_set.h"
#include "../objects/classes.h"
#include "../objects/failure.h"
#include "../pooled/pooled_object.h"
#include "../value/value.h"

#include "class_table_arginfo.h"

typedef struct mcp_table_object {
	mcp_table_name key_name;
	mcp_member_set_object set; /* base object; its key is the key of the index */
} mcp_table_object;

/* Arguments of the pattern, on the stack of a method. Renew them after user code has run. The struct points into
 * itself, so it must not be copied. */
typedef struct mcp_table_call {
	const mcp_table_object *object;
	mcp_member_pruning pruning;
	mcp_table table;
} mcp_table_call;

static const mcp_format *format_of(const mcp_table_object *object) {
	return php_mcp_pool_format(object->set.named.pool);
}

static void renew_table_call(mcp_table_call *call, const mcp_table_object *object) {
	mcp_pool *pool = object->set.named.pool;
	call->object = object;
	call->pruning = (mcp_member_pruning){mcp_table_prune, &call->table};
	call->table = (mcp_table){
		.index =
			{
				.store = php_mcp_pool_store(pool),
				.environment = php_mcp_environment_get(),
				.key = &object->set.named.kept.key,
				.memory = php_mcp_member_set_memory,
				.pruning = &call->pruning,
				.shards = object->set.shards,
				.compact_above = MCP_MEMBER_SET_COMPACT_ABOVE,
			},
		.prefix = php_mcp_pool_prefix(pool),
		.name = &object->key_name,
		.signing_keys = php_mcp_pool_format(pool)->signing_keys,
		.ttl_ms = object->set.ttl_ms,
	};
}

/* Begin a call. Returns false with an Error if the object was never constructed. */
static bool begin_table_call(mcp_table_call *call, zend_object *std) {
	const mcp_table_object *object = php_mcp_named_object_get(std);
	if (object != NULL) {
		renew_table_call(call, object);
	}
	return object != NULL;
}

/* Throw about the row `id`, or about the index if `id` is NULL. */
static void throw_table_failure(const mcp_table_call *call, mcp_status status, const char *action,
	const zend_string *id) {
	mcp_bytes name = php_mcp_bytes_of(call->object->set.named.name);
	mcp_store *failed = php_mcp_failure_server(status, call->table.index.store, NULL);
	if (status == MCP_NOT_STORED) {
		php_mcp_failure_throw_about(php_mcp_stored_value_exception, "The table", name,
			"has no space for the id: a shard of its index is full (use more shards), or the server is out of memory");
		return;
	}
	php_mcp_failure_throw(status, action, id != NULL ? php_mcp_bytes_of(id) : name, failed);
}

/* Read a row. Returns false if the row is missing or unreadable, or with an exception about `action`. */
static bool read_row(const mcp_table_object *object, zend_string *id, const char *action,
	zval *value, uint64_t *stamp) {
	mcp_table_call call;
	mcp_row row;
	renew_table_call(&call, object);
	mcp_status status = mcp_table_get(&call.table, php_mcp_bytes_of(id), &row);
	if (status != MCP_OK) {
		throw_table_failure(&call, status, action, id);
		return false;
	}
	*stamp = row.stamp;
	return row.is_there && php_mcp_value_decode(value, row.payload, row.flags, format_of(object));
}

/* List the ids. Returns false with an exception. */
static bool read_ids(const mcp_table_call *call, zval *list, size_t *count) {
	mcp_status status = php_mcp_member_set_read(&call->table.index, list, count);
	if (status != MCP_OK) {
		throw_table_failure(call, status, "read the ids of the table", NULL);
	}
	return status == MCP_OK;
}

/* An id and the payload of its row. */
typedef struct kept {
	zend_string *id;      /* a reference */
	zend_string *payload; /* NULL: no row */
	uint32_t flags;
} kept;

typedef struct reading {
	size_t count, missing;
	size_t listed_bytes; /* bytes of the ids in the index */
	kept *rows;
} reading;

static void end_table_read(reading *read) {
	for (size_t i = 0; i < read->count; i++) {
		zend_string_release(read->rows[i].id);
		if (read->rows[i].payload != NULL) {
			zend_string_release(read->rows[i].payload);
		}
	}
	efree(read->rows);
}

/* Start with distinct ids, because a multi-get needs distinct keys. */
static void begin_table_read(reading *read, HashTable *ids) {
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

static mcp_status fetch(const mcp_table_call *call, reading *read) {
	mcp_read_scratch reads = php_mcp_read_scratch_make(read->count, 1);
	for (size_t i = 0; i < read->count; i++) {
		reads.keys[i] = mcp_table_row_key(&reads.buffers[i], call->table.prefix, call->table.name,
			php_mcp_bytes_of(read->rows[i].id));
	}
	if (read->count > 0) {
		mcp_store_get_many(call->table.index.store, reads.keys, read->count, reads.replies);
	}
	mcp_status status = MCP_OK;
	for (size_t i = 0; i < read->count && status == MCP_OK; i++) {
		mcp_row row = {.is_there = false};
		status = mcp_table_judge_row(&call->table, &reads.keys[i], &reads.replies[i], &row);
		read->missing += status == MCP_OK && row.cas == 0;
		if (status == MCP_OK && row.is_there) {
			read->rows[i].payload = zend_string_init(row.payload.data, row.payload.length, false);
			read->rows[i].flags = row.flags;
		}
	}
	efree(reads.keys);
	return status;
}

static void decode(const reading *read, const mcp_format *format, zval *rows) {
	array_init_size(rows, (uint32_t)(read->count - read->missing));
	for (const kept *row = read->rows; row < read->rows + read->count; row++) {
		zval value;
		if (row->payload != NULL &&
			php_mcp_value_decode(&value, php_mcp_bytes_of(row->payload), row->flags, format)) {
			zend_symtable_update(Z_ARRVAL_P(rows), row->id, &value);
		}
		if (EG(exception) != NULL) {
			zval_ptr_dtor(rows);
			ZVAL_NULL(rows);
			return;
		}
	}
}

/* Read the rows of these ids, which are strings, as id => row. If an exception is set, there are no rows. `tidies`:
 * compact the index if most ids have no row. */
static void read_rows(const mcp_table_call *call, HashTable *ids, bool tidies, zval *rows) {
	reading read;
	begin_table_read(&read, ids);
	mcp_status status = fetch(call, &read);
	if (status != MCP_OK) {
		throw_table_failure(call, status, "read the rows of the table", NULL);
	} else {
		if (tidies && read.missing > read.count / 2 &&
			read.listed_bytes > call->table.index.compact_above) {
			mcp_table_tidy(&call->table);
		}
		decode(&read, format_of(call->object), rows);
	}
	end_table_read(&read);
}

/* Encoding and $change run user code: begin or renew a call only afterwards. */

/* Maximum number of successive conflicts. More conflicts indicate a bug, not contention. */
#define ROUNDS_MAX 1000

/* Store the row. With a stamp, store it only if the row still has that stamp. Returns MCP_EXISTS if another process
 * stored the row first, or MCP_REFUSED with an exception. */
static mcp_status store(const mcp_table_object *object, zend_string *id, const uint64_t *stamp,
	zval *row) {
	mcp_encoded_value encoded;
	mcp_bytes name = php_mcp_bytes_of(id);
	if (!php_mcp_value_encode(&encoded, row, format_of(object), name)) {
		return MCP_REFUSED;
	}
	mcp_table_call call;
	renew_table_call(&call, object);
	mcp_status status = stamp == NULL
		? mcp_table_put(&call.table, name, encoded.payload, encoded.flags)
		: mcp_table_update(&call.table, name, *stamp, encoded.payload, encoded.flags);
	php_mcp_value_release(&encoded);
	if (status == MCP_OK || (status == MCP_EXISTS && stamp != NULL)) {
		return status;
	}
	throw_table_failure(&call, status, stamp == NULL ? "put the row" : "update the row", id);
	return MCP_REFUSED;
}

static mcp_status try_update(const mcp_table_object *object, zend_string *id, mcp_user_call *change,
	zval *changed) {
	zval old;
	uint64_t stamp;
	if (!read_row(object, id, "update the row", &old, &stamp)) {
		ZVAL_NULL(&old);
	}
	if (EG(exception) != NULL) {
		return MCP_REFUSED;
	}
	bool is_done = php_mcp_user_call_run(change, &old, changed);
	zval_ptr_dtor(&old);
	if (!is_done) {
		return MCP_REFUSED;
	}
	mcp_status status = EG(exception) == NULL ? store(object, id, &stamp, changed) : MCP_REFUSED;
	if (status != MCP_OK) {
		zval_ptr_dtor(changed);
	}
	return status;
}

/* Call $change until its result is stored, and return the result. Returns false with an exception. */
static bool update_row(const mcp_table_object *object, zend_string *id, mcp_user_call *change,
	zval *changed) {
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
		php_mcp_failure_throw(status, "update the row", php_mcp_bytes_of(id), NULL);
	}
	if (status != MCP_OK) {
		ZVAL_UNDEF(changed);
	}
	return status == MCP_OK;
}

ZEND_METHOD(McPatterns_Table, __construct) {
	mcp_table_object *object = php_mcp_named_object_derived(Z_OBJ_P(ZEND_THIS));
	mcp_named_object *named = &object->set.named;
	(void)return_value;
	if (!php_mcp_member_set_object_construct(execute_data, &object->set, MCP_SPACE_ROW)) {
		RETURN_THROWS();
	}
	mcp_table_name_make(&object->key_name, php_mcp_bytes_of(named->name));
	named->kept.key = mcp_table_index_key(&named->kept.buffer, php_mcp_pool_prefix(named->pool),
		&object->key_name);
}

/* Returns NULL with an exception if the object was never constructed or the id is invalid. */
static const mcp_table_object *object_for(zend_object *std, const zend_string *id) {
	const mcp_table_object *object = php_mcp_named_object_get(std);
	return object != NULL && php_mcp_member_set_judge_member(id, 1) ? object : NULL;
}

ZEND_METHOD(McPatterns_Table, put) {
	zend_string *id;
	zval *row;
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(id)
		Z_PARAM_ZVAL(row)
	ZEND_PARSE_PARAMETERS_END();

	const mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object != NULL) {
		store(object, id, NULL, row);
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

	const mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	uint64_t stamp;
	if (object == NULL || read_row(object, id, "read the row", return_value, &stamp)) {
		return;
	}
	if (EG(exception) == NULL && fallback != NULL) {
		RETURN_COPY_DEREF(fallback);
	}
}

ZEND_METHOD(McPatterns_Table, has) {
	zend_string *id;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(id)
	ZEND_PARSE_PARAMETERS_END();

	const mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	mcp_row row;
	renew_table_call(&call, object);
	mcp_status status = mcp_table_get(&call.table, php_mcp_bytes_of(id), &row);
	if (status != MCP_OK) {
		throw_table_failure(&call, status, "read the row", id);
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

	const mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object != NULL) {
		update_row(object, id, &change, return_value);
	}
}

ZEND_METHOD(McPatterns_Table, delete) {
	zend_string *id;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(id)
	ZEND_PARSE_PARAMETERS_END();

	const mcp_table_object *object = object_for(Z_OBJ_P(ZEND_THIS), id);
	if (object == NULL) {
		RETURN_THROWS();
	}
	mcp_table_call call;
	renew_table_call(&call, object);
	mcp_status status = mcp_table_delete(&call.table, php_mcp_bytes_of(id));
	if (status != MCP_OK) {
		throw_table_failure(&call, status, "delete the row", id);
	}
}

ZEND_METHOD(McPatterns_Table, ids) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_table_call call;
	size_t count;
	if (begin_table_call(&call, Z_OBJ_P(ZEND_THIS))) {
		read_ids(&call, return_value, &count);
	}
}

ZEND_METHOD(McPatterns_Table, count) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_table_call call;
	size_t count;
	if (!begin_table_call(&call, Z_OBJ_P(ZEND_THIS)) || !read_ids(&call, NULL, &count)) {
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)count);
}

/* Returns the text of an id that was passed to rows(). It can be an integer, because PHP converts array keys. Returns
 * NULL with an exception. */
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
	} else if (php_mcp_member_set_judge_member(text, 1)) {
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

	mcp_table_call call;
	zval ids;
	size_t count;
	if (!begin_table_call(&call, Z_OBJ_P(ZEND_THIS)) ||
		(given != NULL ? !copy_ids(given, &ids) : !read_ids(&call, &ids, &count))) {
		RETURN_THROWS();
	}
	read_rows(&call, Z_ARRVAL(ids), given == NULL, return_value);
	zval_ptr_dtor(&ids);
}

ZEND_METHOD(McPatterns_Table, clear) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_table_call call;
	if (!begin_table_call(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_table_clear(&call.table);
	if (status != MCP_OK) {
		throw_table_failure(&call, status, "clear the table", NULL);
	}
}

void php_mcp_class_table_register(void) {
	static mcp_named_class table = {
		.offset = offsetof(mcp_table_object, set.named),
		.show = php_mcp_member_set_object_show,
	};
	php_mcp_named_class_register(&table, register_class_McPatterns_Table());
}
