/* Functions of the classes that the module calls: registration at start-up in the order of the list in mcpatterns.c,
 * and cleanup at the end of a request or a thread. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CLASSES_H
#define MCP_PHP_CLASSES_H

void php_mcp_exceptions_register(void);
void php_mcp_enums_register(void);
void php_mcp_class_pool_register(void);
void php_mcp_class_key_register(void);
void php_mcp_class_clock_register(void);
void php_mcp_class_entry_register(void);
void php_mcp_class_cache_register(void);
void php_mcp_class_mc_register(void);
void php_mcp_class_lock_register(void);
void php_mcp_class_counter_register(void);
void php_mcp_class_online_counter_register(void);
void php_mcp_class_rate_limiter_register(void);
void php_mcp_class_event_log_register(void);
void php_mcp_class_member_set_register(void);
void php_mcp_class_table_register(void);
void php_mcp_class_semaphore_register(void);
void php_mcp_class_unique_visitors_register(void);
void php_mcp_class_session_handler_register(void);
void php_mcp_class_audit_register(void);
void php_mcp_class_metrics_register(void);

/* Release the cache of McPatterns\MC at request end, while objects can be released. */
void php_mcp_class_mc_reset(void);
/* Run the due check of McPatterns\Audit between two requests of one process, unless the response of the first
 * request is still open or a callback is running. An exit of the audited code remains pending. */
void php_mcp_audit_check_between(void);
/* Free a thread's data about slots of McPatterns\UniqueVisitors. NULL: none. */
struct mcp_unique_known;
void php_mcp_class_unique_visitors_free_known(struct mcp_unique_known *known);

#endif
