/* Keep the due value in the module's globals. After a fatal error, the end of the request releases it. */
/* SPDX-License-Identifier: MIT */
#include "audits.h"

#include "../../host/environment.h"
#include "php_mcpatterns.h"

/* Bits of a double's mantissa. The sampling rate is a share of 2^53. */
#define DRAW_BITS 53

static uint64_t draw(void) {
	return mcp_random_u64(php_mcp_environment_get()) >> (64 - DRAW_BITS);
}

bool php_mcp_audits_draw(const mcp_cache_object *object) {
	const mcp_audit *audit = *object->audit;
	if (MCP_REQUEST(is_auditing) || draw() >= audit->threshold) {
		return false;
	}
	MCP_REQUEST(audits_drawn)++;
	return MCP_REQUEST(audit_due) == NULL || draw() % MCP_REQUEST(audits_drawn) == 0;
}

void php_mcp_audits_keep(const mcp_audit_due *due) {
	mcp_audit_due *kept = emalloc(sizeof(*kept));
	*kept = *due;
	kept->pid = php_mcp_process_id();
	GC_ADDREF(&kept->object->std);
	zend_string_addref(kept->name);
	php_mcp_user_call_keep(&kept->compute);
	mcp_audit_due *before = MCP_REQUEST(audit_due);
	MCP_REQUEST(audit_due) = kept;
	if (before != NULL) {
		php_mcp_audits_release(before);
	}
}

static bool is_ours(const mcp_audit_due *due) {
	return due->pid == php_mcp_process_id();
}

mcp_audit_due *php_mcp_audits_take(void) {
	mcp_audit_due *due = MCP_REQUEST(audit_due);
	MCP_REQUEST(audit_due) = NULL;
	MCP_REQUEST(audits_drawn) = 0;
	if (due != NULL && !is_ours(due)) {
		php_mcp_audits_release(due);
		return NULL;
	}
	return due;
}

void php_mcp_audits_release(mcp_audit_due *due) {
	mcp_audit_due gone = *due;
	efree(due);
	zend_string_release(gone.payload);
	zend_string_release(gone.name);
	php_mcp_user_call_release(&gone.compute);
	OBJ_RELEASE(&gone.object->std);
	OBJ_RELEASE(&gone.audit->std);
}

void php_mcp_audits_reset(void) {
	mcp_audit_due *due = MCP_REQUEST(audit_due);
	MCP_REQUEST(audit_due) = NULL;
	MCP_REQUEST(audits_drawn) = 0;
	if (due != NULL) {
		php_mcp_audits_release(due);
	}
}
