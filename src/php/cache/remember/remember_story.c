/* Makes the Entry that a computation is given and the one that a remember() leaves in its caller's variable. */
/* SPDX-License-Identifier: MIT */
#include "remember_story.h"

#include "../../host/environment.h"
#include "../../engine/reference.h"
#include "../value/remember_cause.h"

bool php_mcp_remember_story_is_wanted(const mcp_remembering *remembering) {
	return php_mcp_user_call_takes(&remembering->compute, php_mcp_entry_class_entry,
		MCP_OFFER_IF_NAMED);
}

mcp_entry_story php_mcp_remember_story_of_old(const mcp_remembering *remembering) {
	mcp_entry_story story = remembering->old_story;
	bool is_old =
		story.soft_ms != MCP_NEVER_MS && mcp_wall_ms(php_mcp_environment_get()) >= story.soft_ms;
	story.status = is_old ? MCP_ENTRY_STALE : MCP_ENTRY_FRESH;
	return story;
}

bool php_mcp_remember_story_offer(mcp_remembering *remembering, zval *entry) {
	ZVAL_UNDEF(entry);
	if (!php_mcp_remember_story_is_wanted(remembering)) {
		return true;
	}
	zval value;
	bool is_read =
		remembering->old_payload != NULL && php_mcp_remembering_decode_old(remembering, &value);
	if (EG(exception) != NULL) { /* of the old value's own code: for the computation it is none */
		php_mcp_remember_cause_keep(&remembering->undecodable);
		if (EG(exception) != NULL) {
			return false;
		}
	}
	mcp_entry_story story = {.status = MCP_ENTRY_MISS};
	if (is_read) {
		story = php_mcp_remember_story_of_old(remembering);
	}
	php_mcp_class_entry_make(entry, &story, is_read ? &value : NULL,
		mcp_wall_ms(php_mcp_environment_get()));
	return true;
}

void php_mcp_remember_story_tell(const mcp_remembering *remembering, zval *return_value) {
	/* By call_user_func() it comes as a value, and nothing can be told. */
	if (remembering->entry == NULL || !Z_ISREF_P(remembering->entry) || EG(exception) != NULL) {
		return;
	}
	zval value;
	zval entry;
	ZVAL_COPY(&value, return_value);
	php_mcp_class_entry_make(&entry, &remembering->story, &value,
		mcp_wall_ms(php_mcp_environment_get()));
	php_mcp_reference_assign(remembering->entry, &entry);
	if (EG(exception) != NULL) {
		zval_ptr_dtor(return_value);
		ZVAL_UNDEF(return_value);
	}
}
