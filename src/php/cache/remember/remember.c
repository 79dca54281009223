/* The work of Cache::remember(): asks the protocol whose turn it is, and answers with what is there or
 * has it computed. */
/* SPDX-License-Identifier: MIT */
#include "remember.h"

#include "../../engine/computing.h"
#include "../../host/environment.h"
#include "../../engine/interrupt.h"
#include "after_response.h"
#include "../tags/cache_looks.h"
#include "../value/cache_trouble.h"
#include "../near/cache_nearby.h"
#include "../value/cache_value.h"
#include "remember_audit.h"
#include "../value/remember_cause.h"
#include "remember_compute.h"
#include "remember_story.h"
#include "remember_trouble.h"

#include "ext/spl/spl_exceptions.h"
#include "Zend/zend_exceptions.h"

/* Answers with the old value, which is all that a computation can have of the key it is computing: it must not
 * wait for itself. */
bool php_mcp_remember_answer_recursion(mcp_remembering *remembering, zval *return_value) {
	if (!php_mcp_computing_is_anything()) {
		return false;
	}
	mcp_cache_call call;
	php_mcp_remembering_renew(remembering, &call);
	switch (php_mcp_computing_look(call.cache.store, &call.key)) {
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
	if (php_mcp_cache_value_decode(&call, &entry, return_value)) {
		remembering->story = php_mcp_class_entry_story(&entry, true);
		return true;
	}
	php_mcp_remember_cause_keep(&remembering->undecodable);
	if (EG(exception) == NULL) {
		zend_throw_exception_ex(spl_ce_LogicException, 0,
			"The computation of \"%s\" asks for \"%s\" itself, and there is no old value to answer",
			ZSTR_VAL(remembering->name), ZSTR_VAL(remembering->name));
		php_mcp_remember_cause_name(&remembering->undecodable);
	}
	return true;
}

static void keep_old(mcp_remembering *remembering, const mcp_cache_entry *entry) {
	if (!entry->has_value) {
		return;
	}
	if (remembering->stale_on_error || remembering->is_after_response ||
		php_mcp_remember_story_is_wanted(remembering)) {
		php_mcp_remembering_keep_old(remembering, entry,
			zend_string_init(entry->payload.data, entry->payload.length, false));
	}
}

/* Says whether it is this caller's turn, with a claim or, where there can be none, without. */
static bool take_turn(mcp_remembering *remembering, const mcp_cache_call *call,
	const mcp_cache_entry *entry) {
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		keep_old(remembering, entry);
		php_mcp_remembering_hold(remembering, entry);
	} else if (entry->verdict != MCP_VERDICT_MISS) {
		return false;
	} else {
		remembering->trouble = entry->trouble;
	}
	if (entry->is_unreadable) {
		php_mcp_cache_trouble_unreadable(remembering->object, &call->key);
	}
	return true;
}

/* Says whether an exception is the answer. */
static bool throw_trouble(mcp_remembering *remembering, const mcp_cache_call *call,
	const mcp_cache_entry *entry) {
	php_mcp_cache_value_complain(call, entry->trouble, remembering->name);
	if (entry->trouble == MCP_PAUSED) {
		php_mcp_remember_trouble_throw_paused(remembering->name, entry->envelope.pause_end_ms);
		php_mcp_remember_cause_name(&remembering->undecodable);
	}
	return EG(exception) != NULL;
}

/* False if it cannot be decoded, perhaps with an exception. `look`: under which it may be kept near; NULL: never. */
static zend_always_inline bool answer_by(mcp_remembering *remembering, mcp_cache_call *call,
	mcp_cache_entry *entry, const mcp_near_look *look, zval *return_value) {
	if (UNEXPECTED(call->cache.tags != NULL)) {
		php_mcp_cache_looks_note(call, remembering->name, entry, mcp_cache_look_gave(entry));
	}
	mcp_memo_origin origin = {.look.may_be_kept = false};
	if (look != NULL) {
		origin = php_mcp_cache_nearby_origin(look, entry);
	}
	bool is_decoded = php_mcp_cache_value_decode(call, entry, return_value);
	if (is_decoded) {
		remembering->story = php_mcp_class_entry_story(entry, true);
		php_mcp_cache_nearby_note(remembering->object, remembering->name, return_value, &origin);
	} else {
		php_mcp_remember_cause_keep(&remembering->undecodable);
	}
	php_mcp_cache_nearby_end(&origin);
	return is_decoded;
}

/* Answers so where an Audit may want to know: apart, as others' hits are not to pay for it. */
static zend_never_inline bool answer_audited(mcp_remembering *remembering, mcp_cache_call *call,
	mcp_cache_entry *entry, const mcp_near_look *look, zval *return_value) {
	mcp_audit_due due;
	bool is_drawn = php_mcp_remember_audit_begin(remembering, entry, &due);
	bool is_answered = answer_by(remembering, call, entry, look, return_value);
	if (is_drawn && is_answered) {
		php_mcp_remember_audit_keep(&due);
	} else if (is_drawn) {
		php_mcp_remember_audit_drop(&due);
	}
	return is_answered;
}

static zend_always_inline bool answer(mcp_remembering *remembering, mcp_cache_call *call,
	mcp_cache_entry *entry, const mcp_near_look *look, zval *return_value) {
	return UNEXPECTED(php_mcp_audits_are_on(remembering->object))
		? answer_audited(remembering, call, entry, look, return_value)
		: answer_by(remembering, call, entry, look, return_value);
}

/* Answers with what the memo has, unless this caller is drawn to rebuild it early: then the protocol is asked,
 * which is told so. */
static bool answer_from_memo(mcp_remembering *remembering, mcp_remember *options,
	zval *return_value) {
	mcp_cache_object *object = remembering->object;
	bool is_audited = php_mcp_audits_are_on(object);
	if (options->early <= 0 && remembering->entry == NULL && EXPECTED(!is_audited)) {
		return php_mcp_cache_nearby_take(object, remembering->name, return_value);
	}
	mcp_near_draw draw = {options, &options->drawn};
	mcp_cache_entry entry;
	bool is_there =
		php_mcp_cache_nearby_take_with(object, remembering->name, &draw, &entry, return_value);
	if (is_there) {
		remembering->story = php_mcp_class_entry_story(&entry, true);
	}
	if (is_there && UNEXPECTED(is_audited)) {
		php_mcp_remember_audit_near(remembering, &entry, return_value);
	}
	return is_there;
}

/* Answers with a string that stands in the host's memory just as it is answered. */
static bool answer_from_host(mcp_remembering *remembering, mcp_cache_call *call, mcp_near *near,
	zval *return_value) {
	mcp_near_facts facts;
	if (!php_mcp_cache_nearby_take_string(call, near, remembering->name, &facts, return_value)) {
		return false;
	}
	bool is_audited = php_mcp_audits_are_on(remembering->object);
	if (remembering->entry != NULL || UNEXPECTED(is_audited)) {
		mcp_cache_entry entry = php_mcp_cache_nearby_entry(&facts);
		remembering->story = php_mcp_class_entry_story(&entry, true);
		if (is_audited) {
			php_mcp_remember_audit_near(remembering, &entry, return_value);
		}
	}
	return true;
}

/* Says whether it may be taken: nothing is known that is against it, and nothing is to be drawn for. */
static bool may_be_taken(const mcp_remember *options) {
	return options->early <= 0 && !options->distrust.is_set && !options->drawn.is_set;
}

/* Asks the protocol. True if *return_value or an exception is the answer; false if it is this
 * caller's turn, with or without a claim. */
static bool answer_from_cache(mcp_remembering *remembering, zval *return_value) {
	mcp_pauses pauses = {.has_begun = false};
	mcp_remember options = remembering->options;
	mcp_distrust outdated = {.is_set = false};
	options.pauses = &pauses;
	options.outdated = remembering->is_forced ? &outdated : NULL;
	bool is_near = remembering->object->memo != NULL && !remembering->is_forced;
	if (is_near && answer_from_memo(remembering, &options, return_value)) {
		return true;
	}
	for (;;) {
		mcp_cache_call call;
		mcp_near near;
		php_mcp_remembering_renew(remembering, &call);
		if (is_near) {
			php_mcp_cache_nearby_begin(&near, remembering->object);
			call.cache.near = &near;
		}
		if (is_near && may_be_taken(&options) &&
			answer_from_host(remembering, &call, &near, return_value)) {
			return true;
		}
		mcp_cache_entry entry;
		mcp_cache_remember(&call.cache, &call.key, &options, &entry);
		if (entry.trouble == MCP_INTERRUPTED) {
			if (!php_mcp_interrupt_run()) {
				return true;
			}
			continue;
		}
		if (throw_trouble(remembering, &call, &entry)) {
			return true;
		}
		if (take_turn(remembering, &call, &entry)) {
			return false;
		}
		if (answer(remembering, &call, &entry, is_near ? &near.look : NULL, return_value) ||
			EG(exception) != NULL) {
			return true;
		}
		/* One caller computes what this host cannot decode, within the one wait. */
		options.distrust = mcp_cache_distrust(&entry);
	}
}

/* Postpones by C11. True if the old value is the answer and the new one will be computed after the response. */
static bool postpone(mcp_remembering *remembering, zval *return_value) {
	if (!remembering->is_after_response || !remembering->has_claim ||
		remembering->old_payload == NULL || !php_mcp_after_response_is_possible()) {
		return false;
	}
	if (php_mcp_remembering_decode_old(remembering, return_value)) {
		remembering->story = php_mcp_remember_story_of_old(remembering);
		if (php_mcp_after_response_queue(remembering)) {
			return true;
		}
		zval_ptr_dtor(return_value);
		ZVAL_UNDEF(return_value);
	}
	/* An exception of the old value's own code is kept as a cause: the new value, computed now, is the answer
	 * instead. */
	php_mcp_remember_cause_keep(&remembering->undecodable);
	if (EG(exception) == NULL) {
		return false;
	}
	php_mcp_remembering_abandon(remembering, false);
	return true;
}

static void release(mcp_remembering *remembering) {
	php_mcp_remembering_release(remembering);
	php_mcp_remember_cause_release(&remembering->undecodable);
}

void php_mcp_remember_answer(mcp_remembering *remembering, zval *return_value) {
	bool is_answered = php_mcp_remember_answer_recursion(remembering, return_value) ||
		answer_from_cache(remembering, return_value) || postpone(remembering, return_value);
	php_mcp_interrupt_end_wait();
	if (!is_answered) {
		php_mcp_remember_compute(remembering, return_value);
	}
	release(remembering);
	php_mcp_remember_story_tell(remembering, return_value);
}
