/* Reads options by a table of rows, windows of N slots of equal length in whole seconds, and strict arguments. Without
 * strict checks, PHP reads any string but "" and "0" as true, any number as a string, and true as 1. */
/* SPDX-License-Identifier: MIT */
#include "options.h"

void php_mcp_options_fill(void *options, const mcp_option *rows, size_t count) {
	for (const mcp_option *row = rows; row < rows + count; row++) {
		void *place = (char *)options + row->offset;
		switch ((mcp_option_kind)row->kind) {
			case MCP_OPTION_FLAG:
				*(bool *)place = row->initial != 0;
				break;
			case MCP_OPTION_NUMBER:
				*(double *)place = row->initial;
				break;
			case MCP_OPTION_COUNT:
				*(zend_long *)place = (zend_long)row->initial;
				break;
			case MCP_OPTION_MS:
			case MCP_OPTION_DURATION:
				*(uint64_t *)place = php_mcp_duration_ms(row->initial);
				break;
		}
	}
}

bool php_mcp_options_refuse_range(uint32_t argument, double least, double most) {
	zend_argument_value_error(argument, "must be between %.16g and %.16g", least, most);
	return false;
}

bool php_mcp_options_judge(zend_execute_data *call, void *options, const mcp_option *rows,
	size_t count) {
	uint32_t given = ZEND_CALL_NUM_ARGS(call);
	char *base = options;
	bool is_right = true;
	for (const mcp_option *row = rows; row < rows + count && is_right; row++) {
		if (row->kind < MCP_OPTION_NUMBER) {
			continue;
		}
		if (row->argument > given) {
			return true;
		}
		zval *value = ZEND_CALL_ARG(call, row->argument);
		if (Z_TYPE_P(value) == IS_NULL && row->takes_null) {
			continue;
		}
		if (row->is_given != 0) {
			*(bool *)(base + row->is_given) = true;
		}
		if (row->kind == MCP_OPTION_DURATION) {
			is_right = php_mcp_duration_parse(value, row->argument, row->rule,
				(uint64_t *)(base + row->offset));
		} else {
			double number = row->kind == MCP_OPTION_NUMBER
				? *(const double *)(base + row->offset)
				: (double)*(const zend_long *)(base + row->offset);
			is_right = php_mcp_options_is_between(row->argument, number, row->least, row->most);
		}
	}
	return is_right;
}

static void show(zval *shown, const void *place, const mcp_option *row) {
	switch ((mcp_option_kind)row->kind) {
		case MCP_OPTION_FLAG:
			ZVAL_BOOL(shown, *(const bool *)place);
			break;
		case MCP_OPTION_NUMBER:
			ZVAL_DOUBLE(shown, *(const double *)place);
			break;
		case MCP_OPTION_COUNT:
			ZVAL_LONG(shown, *(const zend_long *)place);
			break;
		case MCP_OPTION_MS:
		case MCP_OPTION_DURATION:
			ZVAL_DOUBLE(shown, php_mcp_duration_seconds(*(const uint64_t *)place));
			break;
	}
}

void php_mcp_options_show(HashTable *info, const void *options, const mcp_option *rows,
	size_t count) {
	for (const mcp_option *row = rows; row < rows + count; row++) {
		const char *base = options;
		zval shown;
		ZVAL_NULL(&shown);
		if (row->is_given == 0 || *(const bool *)(base + row->is_given)) {
			show(&shown, base + row->offset, row);
		}
		zend_hash_str_update(info, row->name, strlen(row->name), &shown);
	}
}

/* --- windows --- */

bool php_mcp_options_judge_window(zend_long length_s, zend_long slots, zend_long slots_max,
	mcp_window *window) {
	if (!php_mcp_options_is_between(4, slots, 1, slots_max)) {
		return false;
	}
	if (length_s < slots || length_s > UINT32_MAX) {
		zend_argument_value_error(3,
			"must be at least 1 second for each of the " ZEND_LONG_FMT " slots, and at most %u",
			slots, UINT32_MAX);
		return false;
	}
	if (!mcp_window_is_valid(length_s, slots)) {
		zend_argument_value_error(3, "must be divisible by the number of slots, " ZEND_LONG_FMT,
			slots);
		return false;
	}
	*window = (mcp_window){(uint32_t)length_s, (uint32_t)slots};
	return true;
}

void php_mcp_options_show_window(HashTable *info, const char *length, const mcp_window *window) {
	zval array;
	ZVAL_ARR(&array, info);
	add_assoc_long(&array, length, window->length_s);
	add_assoc_long(&array, "slots", window->slots);
}

/* --- strict checks --- */

bool php_mcp_options_read_switch(uint32_t number, const zval *given, const char *advice,
	bool *is_on) {
	if (given == NULL) {
		return true;
	}
	if (Z_TYPE_P(given) != IS_TRUE && Z_TYPE_P(given) != IS_FALSE) {
		zend_argument_type_error(number, "must be of type bool, %s given; %s",
			zend_zval_type_name(given), advice);
		return false;
	}
	*is_on = Z_TYPE_P(given) == IS_TRUE;
	return true;
}

bool php_mcp_options_judge_type(const zval *given, uint32_t number, uint32_t refused,
	const char *expected, const char *advice) {
	ZVAL_DEREF(given);
	if ((refused & (1u << Z_TYPE_P(given))) == 0) {
		return true;
	}
	zend_argument_type_error(number, "must be of type %s, %s given; %s", expected,
		zend_get_type_by_const(Z_TYPE_P(given)), advice);
	return false;
}

bool php_mcp_options_read_variadic_text(uint32_t number, zval *given, zend_string **text) {
	if (zend_parse_arg_str(given, text, false, number)) {
		return true;
	}
	if (EG(exception) == NULL) {
		zend_argument_type_error(number, "must be of type string, %s given%s",
			zend_zval_type_name(given),
			Z_TYPE_P(given) == IS_ARRAY ? "; spread the array with ..." : "");
	}
	return false;
}

/* --- variables passed by reference --- */

void php_mcp_options_assign_reference(zval *variable, zval *value) {
	zend_reference *reference = Z_ISREF_P(variable) ? Z_REF_P(variable) : NULL;
	bool is_typed = reference != NULL && ZEND_REF_HAS_TYPE_SOURCES(reference);
	if (reference == NULL ||
		(is_typed && !zend_verify_ref_assignable_zval(reference, value, true))) {
		zval_ptr_dtor(value);
		return;
	}
	zval before;
	ZVAL_COPY_VALUE(&before, &reference->val);
	ZVAL_COPY_VALUE(&reference->val, value);
	zval_ptr_dtor(&before);
}
