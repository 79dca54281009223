/* Silences errors like the @ operator: the setting counts as modified by the request, so request end restores it
 * after a fatal error. */
/* SPDX-License-Identifier: MIT */
#include "silence.h"

#include "compat.h"

static zend_ini_entry *find_setting(void) {
	if (EG(error_reporting_ini_entry) == NULL) {
		EG(error_reporting_ini_entry) =
			zend_hash_find_ptr(EG(ini_directives), ZSTR_KNOWN(ZEND_STR_ERROR_REPORTING));
	}
	return EG(error_reporting_ini_entry);
}

/* The engine must restore EG(modified_ini_directives) at request end. Tested by
 * lifecycle/fatal_error_in_a_value_silences_no_later_request.phpt. */
static void count_as_changed(zend_ini_entry *setting) {
	if (setting == NULL || setting->modified) {
		return;
	}
	if (EG(modified_ini_directives) == NULL) {
		ALLOC_HASHTABLE(EG(modified_ini_directives));
		zend_hash_init(EG(modified_ini_directives), 8, NULL, NULL, false);
	}
	if (zend_hash_add_ptr(EG(modified_ini_directives), ZSTR_KNOWN(ZEND_STR_ERROR_REPORTING),
			setting)) {
		setting->orig_value = setting->value;
		setting->orig_modifiable = setting->modifiable;
		setting->modified = true;
	}
}

int php_mcp_silence_begin(void) {
	int level = EG(error_reporting);
	if (!E_HAS_ONLY_FATAL_ERRORS(level)) {
		EG(error_reporting) &= E_FATAL_ERRORS;
		count_as_changed(find_setting());
	}
	return level;
}

void php_mcp_silence_end(int level) {
	if (E_HAS_ONLY_FATAL_ERRORS(EG(error_reporting)) && !E_HAS_ONLY_FATAL_ERRORS(level)) {
		EG(error_reporting) = level;
	}
}
