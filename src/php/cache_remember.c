/* The method Cache::remember(): asks the protocol whose turn it is, and answers with what is there or
 * has it computed. */
/* SPDX-License-Identifier: MIT */
#include "cache_methods.h"
#include "remember.h"

#include "computing.h"

#include "ext/spl/spl_exceptions.h"
#include "Zend/zend_exceptions.h"

/* C14. True when the answer is there: this Fiber is computing this very key, so the old value is
 * all it can have, and it must not wait for itself. */
static bool answer_recursion(mcp_remembering *remembering, zval *return_value) {
	mcp_cache_call call;
	mcp_remember_renew(remembering, &call);
	switch (mcp_computing_look(call.cache.store, &call.key)) {
		case MCP_COMPUTING_NOT:
			return false;
		case MCP_COMPUTING_ELSEWHERE:
			/* Waiting here would keep the other Fiber from going on: compute alone. */
			remembering->options.wait_ms = 0;
			return false;
		case MCP_COMPUTING_HERE:
			break;
	}
	mcp_cache_entry entry;
	mcp_cache_read(&call.cache, &call.key, &entry);
	if (!mcp_cache_call_decode(&call, &entry, return_value) && EG(exception) == NULL) {
		zend_throw_exception_ex(spl_ce_LogicException, 0,
			"The computation of \"%s\" asks for \"%s\" itself, and there is no old value to answer",
			ZSTR_VAL(remembering->name), ZSTR_VAL(remembering->name));
	}
	return true;
}

static void keep_old(mcp_remembering *remembering, const mcp_cache_entry *entry) {
	if (remembering->stale_on_error && entry->has_value) {
		remembering->old_payload =
			zend_string_init(entry->payload.data, entry->payload.length, false);
		remembering->old_flags = entry->flags;
	}
}

/* A value that does not decode is a miss for everybody, so somebody has to compute it. */
static void distrust(mcp_remembering *remembering, const mcp_cache_entry *entry) {
	remembering->options.distrusts = true;
	remembering->options.distrusted_epoch = entry->envelope.epoch;
	remembering->options.distrusted_election = entry->envelope.value_election;
}

/* True when *return_value or an exception is the answer; false when it is this caller's turn. */
static bool answer_from_cache(mcp_remembering *remembering, zval *return_value) {
	for (;;) {
		mcp_cache_call call;
		mcp_remember_renew(remembering, &call);
		mcp_cache_entry entry;
		mcp_cache_remember(&call.cache, &call.key, &remembering->options, &entry);
		if (entry.verdict == MCP_VERDICT_ELECTED) {
			remembering->claim = entry.claim;
			remembering->has_claim = true;
			keep_old(remembering, &entry);
			return false;
		}
		if (entry.verdict == MCP_VERDICT_MISS) {
			return false;
		}
		if (mcp_cache_call_decode(&call, &entry, return_value) || EG(exception) != NULL) {
			return true;
		}
		distrust(remembering, &entry);
	}
}

ZEND_METHOD(McPatterns_Cache, remember) {
	mcp_remembering remembering = {0};
	if (!mcp_remember_parse(&remembering, execute_data)) {
		RETURN_THROWS();
	}
	if (answer_recursion(&remembering, return_value) ||
		answer_from_cache(&remembering, return_value)) {
		return;
	}
	mcp_remember_compute(&remembering, return_value);
}
