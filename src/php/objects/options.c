/* Reads and writes the options of an object by a table of rows. */
/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "object.h"

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

static bool judge_duration(zval *value, void *options, const mcp_option *row) {
	bool is_given = php_mcp_duration_is_given(value);
	if (row->is_given != 0) {
		*(bool *)((char *)options + row->is_given) = is_given;
	}
	return (row->takes_null && !is_given) ||
		php_mcp_duration_parse(value, row->argument, row->rule,
			(uint64_t *)((char *)options + row->offset));
}

static inline bool judge(zval *value, void *options, const mcp_option *row) {
	const void *place = (char *)options + row->offset;
	if (row->kind == MCP_OPTION_DURATION) {
		return judge_duration(value, options, row);
	}
	double number =
		row->kind == MCP_OPTION_NUMBER ? *(const double *)place : (double)*(const zend_long *)place;
	return php_mcp_options_is_between(row->argument, number, row->least, row->most);
}

bool php_mcp_options_judge(zend_execute_data *call, void *options, const mcp_option *rows,
	size_t count) {
	uint32_t given = ZEND_CALL_NUM_ARGS(call);
	for (const mcp_option *row = rows; row < rows + count; row++) {
		if (row->kind < MCP_OPTION_NUMBER) {
			continue;
		}
		if (row->argument > given) {
			return true;
		}
		if (!judge(ZEND_CALL_ARG(call, row->argument), options, row)) {
			return false;
		}
	}
	return true;
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
