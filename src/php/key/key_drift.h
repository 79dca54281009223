/* The report that mcpatterns.report_key_drift asks for: parameters of McPatterns\Key that == takes for the
 * same, or that are lists in another order, and that make two keys. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_KEY_KEY_DRIFT_H
#define MCP_PHP_KEY_KEY_DRIFT_H

#include "php.h"
#include "zend_smart_str.h"

/* The parameters seen in this request; made at the first key while the setting is on. */
typedef struct mcp_key_drift mcp_key_drift;

/* Notes the parameters of one key by their canonical form, and raises an E_NOTICE when they are like those of
 * another key: once for each place in the code. A notice runs the user's error handler, so nothing may be
 * borrowed meanwhile. False with an exception. */
bool php_mcp_key_drift_look(zend_string *head, smart_str *canonical, zend_string *key);

/* Forgets everything at request end. */
void php_mcp_key_drift_reset(void);

#endif
