/* Reports parameters of McPatterns\Key that are equal by == or as unordered lists, but give two keys
 * (mcpatterns.report_key_drift). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_KEY_KEY_DRIFT_H
#define MCP_PHP_KEY_KEY_DRIFT_H

#include "php.h"
#include "zend_smart_str.h"

/* Parameters seen in this request. Created at the first key if the setting is on. */
typedef struct mcp_key_drift mcp_key_drift;

/* Record the parameters of a key by their canonical form. If they are like the parameters of another key,
 * raise an E_NOTICE, once for each place in the code. The notice runs the user's error handler, so the caller
 * must not hold borrowed data. */
void php_mcp_key_drift_record(zend_string *head, const smart_str *canonical, zend_string *key);

/* Free the record at request end. */
void php_mcp_key_drift_reset(void);

#endif
