/* Reports parameters of McPatterns\Key that are equal under == or as unordered lists but make two keys
 * (mcpatterns.report_key_drift). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_KEY_KEY_DRIFT_H
#define MCP_PHP_KEY_KEY_DRIFT_H

#include "php.h"
#include "zend_smart_str.h"

/* Parameters seen in this request. Created at the first key while the setting is on. */
typedef struct mcp_key_drift mcp_key_drift;

/* Record the parameters of a key by their canonical form, and raise an E_NOTICE if they are like those of another
 * key, once for each place in the code. The notice runs the user's error handler, so the caller must not hold
 * borrowed data. */
void php_mcp_key_drift_record(zend_string *head, const smart_str *canonical, zend_string *key);

/* Free the record at request end. */
void php_mcp_key_drift_reset(void);

#endif
