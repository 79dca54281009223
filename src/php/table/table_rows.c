/* Reads rows, one or many. */
/* SPDX-License-Identifier: MIT */
#include "table_rows.h"

#include "../member_set/member_changes.h"
#include "../value/value.h"

static mcp_bytes bytes_of(const zend_string *id) {
	return mcp_bytes_of(ZSTR_VAL(id), ZSTR_LEN(id));
}

bool php_mcp_table_rows_get(mcp_table_call *call, zend_string *id, zval *value) {
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

bool php_mcp_table_rows_ids(mcp_table_call *call, zval *list, size_t *count) {
	mcp_status status = php_mcp_member_changes_read(&call->table.index, list, count);
	if (status != MCP_OK) {
		php_mcp_table_call_throw(call, status, "read the ids of the table", NULL);
	}
	return status == MCP_OK;
}

/* --- many --- */

/* An id and what was read of it. */
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

/* Begins with different ids, which a multi-get's keys must be. */
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

bool php_mcp_table_rows_read(mcp_table_call *call, HashTable *ids, bool tidies, zval *rows) {
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
