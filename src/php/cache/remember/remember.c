/* The work of Cache::remember(): serves a stored value, or computes one when the protocol elects this caller. */
/* SPDX-License-Identifier: MIT */
#include "remember.h"

#include "../../../patterns/cache/look/cache_near.h"
#include "../../engine/computing.h"
#include "../../engine/interrupt.h"
#include "../../host/environment.h"
#include "../claims/cache_claims.h"
#include "../near/cache_nearby.h"
#include "../reads/kept_reads.h"
#include "../value/cache_value.h"
#include "Zend/zend_exceptions.h"
#include "after_response.h"
#include "php_mcpatterns.h"
#include "ext/spl/spl_exceptions.h"

/* Precision of a double, in bits. The threshold of an Audit is a share of 2^53. */
#define DRAW_BITS 53

static uint64_t draw(void) {
	return mcp_random_u64(php_mcp_environment_get()) >> (64 - DRAW_BITS);
}

/* Samples a hit. Returns true if the caller must keep the value. Values with a running number are excluded, because
 * they change without a rebuild, and so are stale values. */
static bool is_drawn(const mcp_cache_object *object, const mcp_cache_entry *entry) {
	if (entry->verdict != MCP_VERDICT_FRESH || !entry->has_value || entry->envelope.has_counter ||
		MCP_REQUEST(is_auditing) || draw() >= (*object->audit)->threshold) {
		return false;
	}
	MCP_REQUEST(audits_drawn)++;
	return MCP_REQUEST(audit_due) == NULL || draw() % MCP_REQUEST(audits_drawn) == 0;
}

/* Keeps the value for the check, and releases the value that was kept before. Takes over the references to the Audit
 * and the payload, and adds references to the rest. Can run user code as its last step. */
static void keep_due(const mcp_audit_due *due) {
	php_mcp_after_response_expect();
	mcp_audit_due *kept = emalloc(sizeof(*kept));
	*kept = *due;
	kept->pid = php_mcp_process_id();
	GC_ADDREF(&kept->object->std);
	zend_string_addref(kept->name);
	php_mcp_user_call_keep(&kept->compute);
	mcp_audit_due *before = MCP_REQUEST(audit_due);
	MCP_REQUEST(audit_due) = kept;
	if (before != NULL) {
		php_mcp_remember_release_audit(before);
	}
}

mcp_audit_due *php_mcp_remember_take_audit(void) {
	mcp_audit_due *due = MCP_REQUEST(audit_due);
	MCP_REQUEST(audit_due) = NULL;
	MCP_REQUEST(audits_drawn) = 0;
	if (due != NULL && due->pid != php_mcp_process_id()) {
		php_mcp_remember_release_audit(due);
		return NULL;
	}
	return due;
}

void php_mcp_remember_release_audit(mcp_audit_due *due) {
	mcp_audit_due gone = *due;
	efree(due);
	zend_string_release(gone.payload);
	zend_string_release(gone.name);
	php_mcp_user_call_release(&gone.compute);
	OBJ_RELEASE(&gone.object->std);
	OBJ_RELEASE(&gone.audit->std);
}

void php_mcp_remember_reset_audits(void) {
	mcp_audit_due *due = php_mcp_remember_take_audit();
	if (due != NULL) {
		php_mcp_remember_release_audit(due);
	}
}

/* Only sampled values are copied, so that other hits pay only for the random number. */

/* Add a reference to the Audit, because user code that runs before the value is kept could free the Audit. */
static mcp_audit_due make_due(const mcp_remember_call *remembering, const mcp_cache_entry *entry,
	mcp_bytes payload, uint32_t flags) {
	GC_ADDREF(&(*remembering->object->audit)->std);
	return (mcp_audit_due){
		.audit = *remembering->object->audit,
		.object = remembering->object,
		.name = remembering->name,
		.compute = remembering->compute,
		.payload = zend_string_init(payload.data, payload.length, false),
		.flags = flags,
		.story = php_mcp_class_entry_story(entry, true),
		.served = {.facts = mcp_near_facts_of(&entry->envelope)},
		.served_ms = mcp_wall_ms(php_mcp_environment_get()),
	};
}

/* Sample a near value, and keep it. Such a value has no objects or references, so encoding it runs no user code. */
static void audit_near(const mcp_remember_call *remembering, const mcp_cache_entry *entry,
	zval *value) {
	mcp_encoded_value encoded;
	if (!is_drawn(remembering->object, entry) ||
		!php_mcp_cache_value_encode(&encoded, remembering->object, remembering->name, value)) {
		return;
	}
	mcp_audit_due due = make_due(remembering, entry, encoded.payload, encoded.flags);
	php_mcp_value_release(&encoded);
	keep_due(&due);
}

mcp_remember_call php_mcp_remember_repeat_audited(const mcp_audit_due *due) {
	return (mcp_remember_call){
		.object = due->object,
		.name = due->name,
		.compute = due->compute,
		.lease_ms = due->object->options.lease_ms,
		.is_unheard = true,
		.old_payload = due->payload,
		.old_flags = due->flags,
		.old_hard_ms = MCP_NEVER_MS,
		.old_story = due->story,
	};
}

/* Serve the stale value if this Fiber is computing the key, because a computation must not wait for itself. */
bool php_mcp_remember_answer_recursion(mcp_remember_call *remembering, zval *return_value) {
	if (!php_mcp_computing_is_anything()) {
		return false;
	}
	mcp_cache_call call;
	php_mcp_remember_call_renew(remembering, &call);
	mcp_computing place = php_mcp_computing_find(call.cache.store, &call.key);
	if (place == MCP_COMPUTING_ELSEWHERE) {
		remembering->options.wait_ms = 0; /* a wait would block the other Fiber: compute alone */
	}
	if (place != MCP_COMPUTING_HERE) {
		return false;
	}
	mcp_cache_entry entry;
	mcp_cache_read(&call.cache, &call.key, &entry);
	if (php_mcp_cache_value_decode_or_throw(&call, &entry, return_value)) {
		remembering->story = php_mcp_class_entry_story(&entry, true);
		return true;
	}
	php_mcp_remember_call_keep_cause(&remembering->undecodable);
	if (EG(exception) == NULL) {
		zend_throw_exception_ex(spl_ce_LogicException, 0,
			"The computation of \"%s\" reads \"%s\" itself, and no stale value exists",
			ZSTR_VAL(remembering->name), ZSTR_VAL(remembering->name));
		php_mcp_remember_call_name_cause(&remembering->undecodable);
	}
	return true;
}

static void keep_old(mcp_remember_call *remembering, const mcp_cache_entry *entry) {
	if (entry->has_value &&
		(remembering->stale_on_error || remembering->is_after_response ||
			php_mcp_remember_call_wants_entry(remembering))) {
		php_mcp_remember_call_keep_old(remembering, entry,
			zend_string_init(entry->payload.data, entry->payload.length, false));
	}
}

/* Returns true if this caller must compute. It gets a claim, if possible. */
static bool take_turn(mcp_remember_call *remembering, const mcp_cache_call *call,
	const mcp_cache_entry *entry) {
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		keep_old(remembering, entry);
		php_mcp_remember_call_keep_claim(remembering, entry);
	} else if (entry->verdict != MCP_VERDICT_MISS) {
		return false;
	} else {
		remembering->trouble = entry->trouble;
	}
	if (entry->is_unreadable) {
		php_mcp_cache_value_report_failure(remembering->object, MCP_ERROR_KIND_UNREADABLE,
			&call->key, NULL);
	}
	return true;
}

/* Throws the exception for the entry's failure. Returns true if an exception is the result. */
static bool throw_trouble(mcp_remember_call *remembering, const mcp_cache_call *call,
	const mcp_cache_entry *entry) {
	php_mcp_cache_value_throw_status(call, entry->trouble, remembering->name);
	if (entry->trouble == MCP_PAUSED) {
		php_mcp_remember_call_throw_paused(remembering->name, entry->envelope.pause_end_ms);
		php_mcp_remember_call_name_cause(&remembering->undecodable);
	}
	return EG(exception) != NULL;
}

/* Answers with the entry's value. False if it cannot be decoded, possibly with an exception. `look`: for the near
 * cache. NULL: do not keep the value there. */
static zend_always_inline bool answer_by(mcp_remember_call *remembering, mcp_cache_call *call,
	mcp_cache_entry *entry, const mcp_near_read *look, zval *return_value) {
	if (UNEXPECTED(call->cache.tags != NULL)) {
		php_mcp_kept_reads_note_tags(call, remembering->name, entry, mcp_cache_read_gave(entry));
	}
	bool is_decoded = look != NULL
		? php_mcp_cache_nearby_decode(call, remembering->name, look, entry, return_value)
		: php_mcp_cache_value_decode_or_throw(call, entry, return_value);
	if (is_decoded) {
		remembering->story = php_mcp_class_entry_story(entry, true);
	} else {
		php_mcp_remember_call_keep_cause(&remembering->undecodable);
	}
	return is_decoded;
}

/* Like answer_by, for a value that an Audit can sample. Not inlined, so that hits of other objects do not pay for
 * it. */
static zend_never_inline bool answer_audited(mcp_remember_call *remembering, mcp_cache_call *call,
	mcp_cache_entry *entry, const mcp_near_read *look, zval *return_value) {
	mcp_audit_due due;
	bool is_kept = is_drawn(remembering->object, entry); /* before the decoding */
	if (is_kept) {
		due = make_due(remembering, entry, entry->payload, entry->flags);
	}
	bool is_answered = answer_by(remembering, call, entry, look, return_value);
	if (is_kept && is_answered) {
		keep_due(&due);
	} else if (is_kept) {
		zend_string_release(due.payload);
		OBJ_RELEASE(&due.audit->std);
	}
	return is_answered;
}

static zend_always_inline bool answer_found(mcp_remember_call *remembering, mcp_cache_call *call,
	mcp_cache_entry *entry, const mcp_near_read *look, zval *return_value) {
	return UNEXPECTED(php_mcp_remember_has_audit(remembering->object))
		? answer_audited(remembering, call, entry, look, return_value)
		: answer_by(remembering, call, entry, look, return_value);
}

/* Records that a near value is the result. */
static void note_near(mcp_remember_call *remembering, const mcp_cache_entry *entry, zval *value) {
	remembering->story = php_mcp_class_entry_story(entry, true);
	if (UNEXPECTED(php_mcp_remember_has_audit(remembering->object))) {
		audit_near(remembering, entry, value);
	}
}

/* Serves a value from the object cache, unless this caller is sampled for an early refresh. *options then has the
 * result of the sampling, for the protocol. */
static bool answer_from_memo(mcp_remember_call *remembering, mcp_remember *options,
	zval *return_value) {
	mcp_cache_object *object = remembering->object;
	/* In a guarded Cache, remember() leaves no read stamp, because it detects changes itself. */
	if (options->early <= 0 && remembering->entry == NULL &&
		EXPECTED(!php_mcp_remember_has_audit(object) && !php_mcp_kept_reads_need_stamps(object))) {
		return php_mcp_cache_nearby_take(object, remembering->name, return_value);
	}
	mcp_near_draw draw = {options, &options->drawn};
	mcp_cache_entry entry;
	bool is_there =
		php_mcp_cache_nearby_take_with(object, remembering->name, &draw, &entry, return_value);
	if (is_there) {
		note_near(remembering, &entry, return_value);
	}
	return is_there;
}

/* Serves a string directly from the near cache. */
static bool answer_from_host(mcp_remember_call *remembering, mcp_cache_call *call, mcp_near *near,
	zval *return_value) {
	mcp_near_facts facts;
	if (!php_mcp_cache_nearby_take_string(call, near, remembering->name, &facts, return_value)) {
		return false;
	}
	if (remembering->entry != NULL || UNEXPECTED(php_mcp_remember_has_audit(remembering->object))) {
		mcp_cache_entry entry = php_mcp_cache_nearby_entry(&facts);
		note_near(remembering, &entry, return_value);
	}
	return true;
}

/* State of a call that repeats its reads until it has a result or must compute. */
typedef struct asking {
	mcp_remember_call *remembering;
	mcp_remember options;
	mcp_pauses pauses;
	mcp_value_id outdated;
	mcp_cache_entry entry; /* entry of the last read */
	bool is_near;
	mcp_near near;
} asking;

/* The outcome of a read. */
typedef enum outcome {
	IS_ANSWERED, /* *return_value or an exception is the result */
	IS_TURN,     /* this caller computes, with or without a claim */
	IS_OPEN,     /* read again */
} outcome;

/* Begins with the result of the first read, if this read was made. */
static void begin_asking(asking *self, mcp_remember_call *remembering,
	const mcp_first_read *first) {
	self->remembering = remembering;
	self->options = remembering->options;
	self->pauses = (mcp_pauses){.has_begun = false};
	self->outdated.is_set = false;
	self->is_near = remembering->object->memo != NULL && !remembering->is_forced;
	self->options.pauses = &self->pauses;
	self->options.outdated = remembering->is_forced ? &self->outdated : NULL;
	self->options.is_unready = remembering->judge != NULL;
	self->options.oldest_claim_ms = php_mcp_cache_claims_oldest_ms(remembering->object,
		remembering->name, !self->options.serve_stale);
	if (!first->is_made) {
		return;
	}
	uint64_t begun_ms = first->begun_ms + 1; /* rounded up */
	self->pauses = (mcp_pauses){.has_begun = true, .begun_ms = begun_ms};
	self->entry = first->entry;
	if (first->is_undecodable) {
		remembering->undecodable = first->cause;
		self->options.distrust = mcp_cache_value_id_of(&self->entry);
	} else {
		self->options.has_found = true;
	}
}

/* Check the remaining arguments before the election, because no caller waits for this claim yet. False with an
 * exception. */
static bool judge_before_election(asking *self) {
	mcp_remember *options = &self->options;
	mcp_argument_verdict verdict = php_mcp_remember_call_judge(self->remembering);
	options->lifetime = self->remembering->options.lifetime;
	options->is_unready = false;
	options->has_found = verdict == MCP_ARGUMENTS_RIGHT;
	if (self->entry.freshness == MCP_FRESH) {
		options->drawn = mcp_cache_value_id_of(&self->entry);
	}
	return verdict != MCP_ARGUMENTS_WRONG;
}

/* Check the near cache, unless a read has already been made. A string is served directly, if no value is distrusted
 * and no early refresh can be sampled. */
static bool is_answered_near(asking *self, mcp_cache_call *call, zval *return_value) {
	const mcp_remember *options = &self->options;
	call->cache.near = &self->near;
	if (options->has_found) {
		return false;
	}
	php_mcp_cache_nearby_begin(&self->near, self->remembering->object);
	return options->early <= 0 && !options->distrust.is_set && !options->drawn.is_set &&
		answer_from_host(self->remembering, call, &self->near, return_value);
}

static outcome ask_protocol(asking *self, zval *return_value) {
	mcp_remember_call *remembering = self->remembering;
	mcp_cache_entry *entry = &self->entry;
	mcp_cache_call call;
	php_mcp_remember_call_renew(remembering, &call);
	if (self->is_near && is_answered_near(self, &call, return_value)) {
		return IS_ANSWERED;
	}
	bool is_ready = mcp_cache_remember(&call.cache, &call.key, &self->options, entry);
	self->options.has_found = false;
	if (!is_ready) {
		return judge_before_election(self) ? IS_OPEN : IS_ANSWERED;
	}
	if (entry->trouble == MCP_INTERRUPTED) {
		return php_mcp_interrupt_run() ? IS_OPEN : IS_ANSWERED;
	}
	if (throw_trouble(remembering, &call, entry)) {
		return IS_ANSWERED;
	}
	if (take_turn(remembering, &call, entry)) {
		bool is_right = php_mcp_remember_call_judge(remembering) != MCP_ARGUMENTS_WRONG;
		return is_right ? IS_TURN : IS_ANSWERED;
	}
	const mcp_near_read *near = self->is_near ? &self->near.near_read : NULL;
	if (answer_found(remembering, &call, entry, near, return_value) || EG(exception) != NULL) {
		return IS_ANSWERED;
	}
	/* The value cannot be decoded here. Read again as if it was missing, so that one caller rebuilds it and the
	 * others wait. */
	self->options.distrust = mcp_cache_value_id_of(entry);
	return IS_OPEN;
}

/* Runs the protocol. True if *return_value or an exception is the result. False if this caller must compute. */
static bool answer_from_cache(mcp_remember_call *remembering, const mcp_first_read *first,
	zval *return_value) {
	asking self;
	begin_asking(&self, remembering, first);
	if (self.is_near && answer_from_memo(remembering, &self.options, return_value)) {
		return true;
	}
	outcome next;
	do {
		next = ask_protocol(&self, return_value);
	} while (next == IS_OPEN);
	return next == IS_ANSWERED;
}

/* Postpones the rebuild (C11). True if the stale value is the result, and the rebuild is queued until after the
 * response. */
static bool postpone(mcp_remember_call *remembering, zval *return_value) {
	if (!remembering->is_after_response || !remembering->has_claim ||
		remembering->old_payload == NULL || !php_mcp_after_response_is_possible()) {
		return false;
	}
	if (php_mcp_remember_call_decode_old(remembering, return_value)) {
		remembering->story = php_mcp_remember_call_old_story(remembering);
		if (php_mcp_after_response_queue(remembering)) {
			return true;
		}
		zval_ptr_dtor(return_value);
		ZVAL_UNDEF(return_value);
	}
	/* The stale value cannot be decoded. Keep an exception of its code as the cause of a later failure, and compute
	 * now. */
	php_mcp_remember_call_keep_cause(&remembering->undecodable);
	if (EG(exception) == NULL) {
		return false;
	}
	php_mcp_remember_call_abandon(remembering, false);
	return true;
}

/* Returns true if the object uses no feature that needs more than a plain read. */
static zend_always_inline bool is_plain(const mcp_cache_object *object) {
	return object->memo == NULL && object->tags == NULL && !php_mcp_remember_has_audit(object) &&
		!php_mcp_computing_is_anything();
}

bool php_mcp_remember_at_once(mcp_cache_object *object, zend_string *name, mcp_first_read *look,
	zval *return_value) {
	if (UNEXPECTED(!is_plain(object))) {
		return false;
	}
	mcp_cache_call call;
	look->is_made = true;
	php_mcp_cache_object_renew(&call, object, name);
	php_mcp_environment_keep_next_reading(); /* after the renewal, because copies take the environment there */
	bool is_fresh = mcp_cache_remember_fresh(&call.cache, &call.key, &look->entry);
	if (UNEXPECTED(!is_fresh)) {
		look->is_undecodable = false;
		look->begun_ms = php_mcp_environment_noted_ms();
		return false;
	}
	if (EXPECTED(php_mcp_cache_value_decode_or_throw(&call, &look->entry, return_value))) {
		return true;
	}
	look->is_undecodable = true;
	look->begun_ms = php_mcp_environment_noted_ms();
	look->cause = NULL;
	php_mcp_remember_call_keep_cause(&look->cause);
	return EG(exception) != NULL;
}

void php_mcp_remember_answer(mcp_remember_call *remembering, const mcp_first_read *first,
	zval *return_value) {
	if (UNEXPECTED(php_mcp_remember_has_audit(remembering->object))) {
		php_mcp_remember_call_resolve(remembering); /* a check after a hit needs the callable */
	}
	bool is_answered = php_mcp_remember_answer_recursion(remembering, return_value) ||
		answer_from_cache(remembering, first, return_value) || postpone(remembering, return_value);
	if (!is_answered) {
		php_mcp_remember_call_compute(remembering, return_value);
	}
	php_mcp_remember_call_release(remembering);
	php_mcp_remember_call_assign_entry(remembering, return_value);
}
