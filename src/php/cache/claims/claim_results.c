/* Stores a result under the best matching claim, and ends the claim after a reply. */
/* SPDX-License-Identifier: MIT */
#include "claim_results.h"

#include "../../host/environment.h"
#include "../guarded/cache_guarding.h"
#include "../object/cache_tag_numbers.h"
#include "cache_claims.h"

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

/* Publish with the tags of this object and with the tag versions from before the election that the claim knows. */
static mcp_status publish_tagged(mcp_cache_call *call, const mcp_held_claim *held,
	mcp_cache_value *value) {
	mcp_captured_tags captured;
	mcp_status status = mcp_cache_capture_of(&call->cache, &call->key,
		php_mcp_cache_tag_numbers_view(held->tags), &captured);
	if (status != MCP_OK) {
		php_mcp_cache_object_tally(call->object, MCP_COUNT_ERRORS, 1);
		return status;
	}
	value->tags = mcp_captured_tags_view(&captured);
	status = mcp_cache_publish(&call->cache, &call->key, &held->claim, value);
	if (status == MCP_OK && php_mcp_cache_guarding_is_on(call->object)) {
		php_mcp_cache_guarding_note_published(call, &held->claim);
	}
	return status;
}

mcp_status php_mcp_claim_results_publish(mcp_cache_call *call, zend_string *name,
	mcp_cache_value *value) {
	mcp_held_claim *held = php_mcp_cache_claims_find(call->object, name);
	if (held == NULL) {
		return MCP_NOT_STORED;
	}
	value->compute_ms = php_mcp_environment_elapsed_ms(held->taken_ns);
	mcp_status status = MCP_NOT_STORED;
	if (held->is_overtaken) {
		php_mcp_cache_object_count_refused(call->object, name);
	} else {
		status = publish_tagged(call, held, value);
	}
	count_time(call->object, held);
	end_if_answered(held, status);
	return status;
}

mcp_status php_mcp_claim_results_abandon(mcp_cache_call *call, zend_string *name) {
	mcp_held_claim *held = php_mcp_cache_claims_find(call->object, name);
	if (held == NULL || held->is_overtaken) {
		return MCP_NOT_STORED;
	}
	mcp_status status = mcp_cache_abandon(&call->cache, &call->key, &held->claim, false);
	end_if_answered(held, status);
	return status;
}

void php_mcp_claim_results_take_back(mcp_cache_object *object, zend_string *name,
	const mcp_claim *claim) {
	mcp_held_claim *held = php_mcp_cache_claims_find_token(object, name, claim->token);
	if (held == NULL || held->is_overtaken) {
		return;
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, object, name);
	end_if_answered(held, mcp_cache_abandon(&call.cache, &call.key, &held->claim, false));
}

void php_mcp_claim_results_fulfil(mcp_cache_object *object, zend_string *name) {
	const mcp_held_claim *held = php_mcp_cache_claims_newest(object, name);
	if (held != NULL && !held->is_a_calls) { /* a call counts its own time */
		count_time(object, held);
	}
	php_mcp_cache_claims_drop(object, name);
}
