/* Only what is drawn is copied: a hit that is not pays for the draw. */
/* SPDX-License-Identifier: MIT */
#include "remember_audit.h"

#include "../../../patterns/cache/look/cache_near.h"
#include "../../host/environment.h"
#include "../value/cache_value.h"
#include "after_response.h"

/* Leaves a value alone that counts on without being changed, and one that is old. */
static bool may_be_audited(const mcp_cache_entry *entry) {
	return entry->verdict == MCP_VERDICT_FRESH && entry->has_value && !entry->envelope.has_counter;
}

/* Takes a reference to the Audit, which whatever runs until this is kept may let go. */
static mcp_audit_due make(const mcp_remembering *remembering, const mcp_cache_entry *entry,
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

bool php_mcp_remember_audit_begin(const mcp_remembering *remembering, const mcp_cache_entry *entry,
	mcp_audit_due *due) {
	if (!may_be_audited(entry) || !php_mcp_audits_draw(remembering->object)) {
		return false;
	}
	*due = make(remembering, entry, entry->payload, entry->flags);
	return true;
}

void php_mcp_remember_audit_keep(const mcp_audit_due *due) {
	php_mcp_after_response_expect();
	php_mcp_audits_keep(due);
}

void php_mcp_remember_audit_drop(const mcp_audit_due *due) {
	zend_string_release(due->payload);
	OBJ_RELEASE(&due->audit->std);
}

void php_mcp_remember_audit_near(const mcp_remembering *remembering, const mcp_cache_entry *entry,
	zval *value) {
	mcp_encoded_value encoded;
	if (!may_be_audited(entry) || !php_mcp_audits_draw(remembering->object) ||
		!php_mcp_cache_value_encode(&encoded, remembering->object, remembering->name, value)) {
		return;
	}
	mcp_audit_due due = make(remembering, entry, encoded.payload, encoded.flags);
	php_mcp_value_release(&encoded);
	php_mcp_remember_audit_keep(&due);
}

mcp_remembering php_mcp_remember_audit_again(const mcp_audit_due *due) {
	return (mcp_remembering){
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
