/* Stores rows. Encoding is user code, and so is $change: a call begins, or begins again, only after it. */
/* SPDX-License-Identifier: MIT */
#include "table_update.h"

#include "../../core/backoff.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "../value/value.h"

/* After so many changes by others in a row something is wrong with the code, not with the luck. */
#define ROUNDS_MAX 1000

static mcp_bytes bytes_of(const zend_string *id) {
	return mcp_bytes_of(ZSTR_VAL(id), ZSTR_LEN(id));
}

bool php_mcp_table_update_put(mcp_table_object *object, zend_string *id, zval *row) {
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

/* Reads the old row; null where there is none that can be read. False with an exception. */
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

/* Gives the old row over. False with an exception. */
static bool run_change(mcp_user_call *change, zval *old, zval *changed) {
	bool is_done = php_mcp_user_call_run(change, old, changed);
	zval_ptr_dtor(old);
	if (is_done && EG(exception) != NULL) {
		zval_ptr_dtor(changed);
		is_done = false;
	}
	return is_done;
}

/* MCP_EXISTS if another process was faster. MCP_REFUSED with an exception. */
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

bool php_mcp_table_update_change(mcp_table_object *object, zend_string *id, mcp_user_call *change,
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
		php_mcp_failure_throw(status, "update the row", bytes_of(id), NULL);
	}
	if (status != MCP_OK) {
		ZVAL_UNDEF(changed);
	}
	return status == MCP_OK;
}
