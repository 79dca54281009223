/* The numbers of the arguments are those of the stub, which errors name. */
/* SPDX-License-Identifier: MIT */
#include "session_arguments.h"

#include "../../core/session/session_merge.h"
#include "../objects/duration.h"
#include "../objects/enums.h"
#include "php_ini.h"

enum {
	WAIT_ARGUMENT = 3,
	EXPIRE_ARGUMENT,
	TTL_ARGUMENT,
	FORMAT_ARGUMENT,
	DEPTH_ARGUMENT,
	FOREIGN_ARGUMENT
};

typedef mcp_session_arguments arguments;

static bool judge_ttl(const arguments *given, mcp_session_terms *terms) {
	zend_long ttl_s = given->has_no_ttl
		? zend_ini_long("session.gc_maxlifetime", strlen("session.gc_maxlifetime"), 0)
		: given->ttl_s;
	terms->ttl_ms = (uint64_t)ttl_s * 1000;
	if (ttl_s >= 1 && (double)ttl_s <= MCP_DURATION_MAX_S) {
		return true;
	}
	zend_argument_value_error(TTL_ARGUMENT, "must be from 1 to %.0f seconds", MCP_DURATION_MAX_S);
	return false;
}

static bool judge_format(const arguments *given, mcp_session_terms *terms) {
	if (given->format == NULL) {
		terms->format = php_mcp_session_terms_format(zend_ini_string("session.serialize_handler",
			strlen("session.serialize_handler"), 0));
		return true;
	}
	bool is_name = strlen(ZSTR_VAL(given->format)) == ZSTR_LEN(given->format);
	terms->format = php_mcp_session_terms_format(is_name ? ZSTR_VAL(given->format) : NULL);
	if (terms->format == MCP_SESSION_OTHER) {
		zend_argument_value_error(FORMAT_ARGUMENT,
			"must be php, php_serialize, php_binary, igbinary or msgpack");
		return false;
	}
	return true;
}

static bool judge_depth(const arguments *given, mcp_session_terms *terms) {
	terms->merge_depth = (unsigned)given->merge_depth;
	if (given->merge_depth >= 1 && given->merge_depth <= MCP_SESSION_MERGE_DEPTH_MAX) {
		return true;
	}
	zend_argument_value_error(DEPTH_ARGUMENT, "must be between 1 and %d",
		MCP_SESSION_MERGE_DEPTH_MAX);
	return false;
}

static bool judge_foreign(const arguments *given, mcp_session_terms *terms) {
	zend_string *prefix = given->foreign;
	if (prefix == NULL || ZSTR_LEN(prefix) == 0) {
		return true;
	}
	if (terms->signing_keys != NULL) {
		zend_argument_value_error(FOREIGN_ARGUMENT,
			"must be null if the Pool has a signing key: another handler's sessions are not signed");
		return false;
	}
	terms->foreign = prefix;
	if (mcp_key_is_safe(mcp_bytes_of(ZSTR_VAL(prefix), ZSTR_LEN(prefix)))) {
		return true;
	}
	zend_argument_value_error(FOREIGN_ARGUMENT,
		"must be up to %d bytes without spaces and control characters", MCP_WIRE_KEY_MAX);
	return false;
}

/* Takes the case of the enum for the C enum's, which has their order. */
bool php_mcp_session_arguments_judge(const arguments *given, mcp_session_terms *terms) {
	terms->wait_ms = MCP_SESSION_DEFAULT_WAIT_S * 1000;
	terms->expire_ms = MCP_SESSION_DEFAULT_EXPIRE_S * 1000;
	if (given->locking != NULL) {
		terms->locking = (mcp_session_locking)php_mcp_enums_case(given->locking);
	}
	return (given->wait == NULL ||
			   php_mcp_duration_parse(given->wait, WAIT_ARGUMENT, MCP_DURATION_SHORT,
				   &terms->wait_ms)) &&
		(given->expire == NULL ||
			php_mcp_duration_parse(given->expire, EXPIRE_ARGUMENT, MCP_DURATION_POSITIVE,
				&terms->expire_ms)) &&
		judge_ttl(given, terms) && judge_format(given, terms) && judge_depth(given, terms) &&
		judge_foreign(given, terms);
}
