/* The claims a Cache object holds: taken by an election, kept until the value is stored, and given
 * back when the object or the request ends first (C6). */
/* SPDX-License-Identifier: MIT */
#include "cache_object.h"

#include "../environment.h"

#include <unistd.h>

/* From so many on, those that ran out long ago are looked for and forgotten: a process that lives long
 * may never set() what it was elected for. A result may be stored for three leases after that (C3). */
#define CLAIMS_BEFORE_PRUNING 16
#define LEASES_KEPT 3

static void free_claim(zval *element) {
	efree(Z_PTR_P(element));
}

static bool has_run_out(const mcp_held_claim *held) {
	return mcp_wall_ms(mcp_environment_get()) >= held->claim.end_ms;
}

static int prune_before(zval *element, void *end_ms) {
	const mcp_held_claim *held = Z_PTR_P(element);
	return held->claim.end_ms < *(uint64_t *)end_ms ? ZEND_HASH_APPLY_REMOVE : ZEND_HASH_APPLY_KEEP;
}

/* Again when there are twice as many as are left, so that each claim is looked at a few times. */
static void prune(mcp_cache_object *object) {
	uint64_t kept_ms = (uint64_t)LEASES_KEPT * object->lease_ms;
	uint64_t now_ms = mcp_wall_ms(mcp_environment_get());
	uint64_t end_ms = now_ms > kept_ms ? now_ms - kept_ms : 0;
	zend_hash_apply_with_argument(object->claims, prune_before, &end_ms);
	object->claims_to_prune_at =
		MAX(CLAIMS_BEFORE_PRUNING, 2 * zend_hash_num_elements(object->claims));
}

/* At the end of a request, or of the object, whichever comes first. */
static void give_back(mcp_give_back *node) {
	mcp_cache_object *object =
		(mcp_cache_object *)((char *)node - XtOffsetOf(mcp_cache_object, held));
	zend_string *name;
	mcp_held_claim *held;
	ZEND_HASH_FOREACH_STR_KEY_PTR(object->claims, name, held) {
		if (held->pid == getpid() && !has_run_out(held)) {
			mcp_cache_call call;
			mcp_cache_call_renew(&call, object, name);
			mcp_cache_abandon(&call.cache, &call.key, &held->claim, false);
		}
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_clean(object->claims);
}

void mcp_cache_claims_hold(mcp_cache_object *object, zend_string *name, const mcp_claim *claim) {
	if (claim->is_overdue) {
		return;
	}
	if (object->claims == NULL) {
		ALLOC_HASHTABLE(object->claims);
		zend_hash_init(object->claims, 8, NULL, free_claim, false);
		object->claims_to_prune_at = CLAIMS_BEFORE_PRUNING;
	} else if (zend_hash_num_elements(object->claims) >= object->claims_to_prune_at) {
		prune(object);
	}
	mcp_held_claim *held = emalloc(sizeof(*held));
	*held = (mcp_held_claim){
		.claim = *claim,
		.taken_ns = mcp_environment_measure_ns(),
		.pid = getpid(),
	};
	zend_hash_update_ptr(object->claims, name, held);
	mcp_give_back_register(&object->held, give_back);
}

uint32_t mcp_cache_claims_age_ms(const mcp_cache_object *object, zend_string *name) {
	if (object->claims == NULL) {
		return 0;
	}
	const mcp_held_claim *held = zend_hash_find_ptr(object->claims, name);
	return held != NULL && held->pid == getpid() ? mcp_held_claim_age_ms(held) : 0;
}

void mcp_cache_claims_drop(mcp_cache_object *object, zend_string *name) {
	if (object->claims != NULL) {
		zend_hash_del(object->claims, name);
	}
}

bool mcp_cache_claims_end(mcp_cache_object *object, zend_string *name, const mcp_claim *claim) {
	const mcp_held_claim *held =
		object->claims != NULL ? zend_hash_find_ptr(object->claims, name) : NULL;
	if (held == NULL) {
		return false;
	}
	if (held->claim.token == claim->token) {
		zend_hash_del(object->claims, name);
	}
	return true;
}

bool mcp_cache_claims_take(mcp_cache_object *object, zend_string *name, mcp_held_claim *taken) {
	if (object->claims == NULL) {
		return false;
	}
	mcp_held_claim *held = zend_hash_find_ptr(object->claims, name);
	if (held == NULL) {
		return false;
	}
	*taken = *held;
	zend_hash_del(object->claims, name);
	return taken->pid == getpid();
}

uint32_t mcp_held_claim_age_ms(const mcp_held_claim *held) {
	uint64_t age_ms = (mcp_environment_measure_ns() - held->taken_ns + 999999) / 1000000;
	return age_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)age_ms;
}

void mcp_cache_claims_free(mcp_cache_object *object) {
	if (object->claims == NULL) {
		return;
	}
	mcp_give_back_now(&object->held);
	zend_hash_destroy(object->claims);
	FREE_HASHTABLE(object->claims);
	object->claims = NULL;
}
