/* Hooks the creation of incomplete objects: searching each value for them would slow down every hit. */
/* SPDX-License-Identifier: MIT */
#include "incomplete.h"

#include "php_mcpatterns.h"

#include "ext/standard/php_incomplete_class.h"

/* Written at start-up. NULL: the engine creates them as any object. */
static zend_object *(*create_as_before)(zend_class_entry *class_entry);

static zend_ulong this_frame(void) {
	return (zend_ulong)(uintptr_t)EG(current_execute_data);
}

/* True if the running frame is this module's own, not a function called by user code. */
static bool is_a_frame_of_ours(void) {
	const zend_execute_data *frame = EG(current_execute_data);
	return frame != NULL && frame->func != NULL && frame->func->type == ZEND_INTERNAL_FUNCTION &&
		frame->func->internal_function.module == &mcpatterns_module_entry;
}

static void note(void) {
	if (MCP_REQUEST(incomplete_makers) == NULL) {
		ALLOC_HASHTABLE(MCP_REQUEST(incomplete_makers));
		zend_hash_init(MCP_REQUEST(incomplete_makers), 8, NULL, NULL, false);
	}
	zend_hash_index_add_empty_element(MCP_REQUEST(incomplete_makers), this_frame());
}

/* The engine must create objects of missing classes by __PHP_Incomplete_Class's create_object, while the
 * unserializing function is the current one. Tested by cache/value/incomplete_objects_are_misses.phpt. */
static zend_object *create(zend_class_entry *class_entry) {
	if (is_a_frame_of_ours()) {
		note();
	}
	if (create_as_before != NULL) {
		return create_as_before(class_entry);
	}
	zend_object *object = zend_objects_new(class_entry);
	object_properties_init(object, class_entry);
	return object;
}

void php_mcp_incomplete_register(void) {
	create_as_before = php_ce_incomplete_class->create_object;
	php_ce_incomplete_class->create_object = create;
}

void php_mcp_incomplete_unregister(void) {
	if (php_ce_incomplete_class->create_object == create) {
		php_ce_incomplete_class->create_object = create_as_before;
	}
}

bool php_mcp_incomplete_was_made(void) {
	HashTable *makers = MCP_REQUEST(incomplete_makers);
	bool was_made = makers != NULL && zend_hash_index_del(makers, this_frame()) == SUCCESS;
	if (was_made && zend_hash_num_elements(makers) == 0) {
		zend_array_destroy(makers);
		MCP_REQUEST(incomplete_makers) = NULL;
	}
	return was_made;
}
