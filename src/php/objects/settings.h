/* How the mcpatterns.* settings are taken: strictly, and Pool::default() follows. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_SETTINGS_H
#define MCP_PHP_SETTINGS_H

#include "php.h"
#include "php_ini.h"

/* Handles STD_PHP_INI_ENTRY. A text that is no number of seconds or bytes, no level or no switch is refused:
 * ini_set() is then false, and a start-up fails. */
ZEND_INI_MH(php_mcp_settings_update_string);
ZEND_INI_MH(php_mcp_settings_update_seconds);
ZEND_INI_MH(php_mcp_settings_update_bytes);
ZEND_INI_MH(php_mcp_settings_update_switch);
/* Takes a switch that no Pool is made of: Pool::default() stays. */
ZEND_INI_MH(php_mcp_settings_update_report);
/* Takes a number of bytes; 0 is allowed. */
ZEND_INI_MH(php_mcp_settings_update_size);
/* Takes bytes that can be mapped (shared_memory.h), or 0. */
ZEND_INI_MH(php_mcp_settings_update_shared_memory);
/* Takes 0, or as many bytes as limit anything. */
ZEND_INI_MH(php_mcp_settings_update_item_size_limit);
/* Takes the seconds that a socket can be told. */
ZEND_INI_MH(php_mcp_settings_update_keepalive);
/* Takes an absolute path, or an empty one. */
ZEND_INI_MH(php_mcp_settings_update_path);
/* Takes what php_mcp_shared_access_read takes. */
ZEND_INI_MH(php_mcp_settings_update_group);
ZEND_INI_MH(php_mcp_settings_update_mode);
/* Takes 1 to 9, and 1 to 22 the next: what the libraries take. */
ZEND_INI_MH(php_mcp_settings_update_zlib_level);
ZEND_INI_MH(php_mcp_settings_update_zstd_level);
/* Takes the name of a mode of sessions; a time to wait, and one that a lock lasts; and a depth of merging. */
ZEND_INI_MH(php_mcp_settings_update_locking);
ZEND_INI_MH(php_mcp_settings_update_wait);
ZEND_INI_MH(php_mcp_settings_update_lease);
ZEND_INI_MH(php_mcp_settings_update_merge_depth);
/* Takes what may stand before a key of another client's. */
ZEND_INI_MH(php_mcp_settings_update_key_prefix);
/* Takes a path, from php.ini alone: it is read when the module starts. */
ZEND_INI_MH(php_mcp_settings_update_key_file);

/* Displays a secret: that there is one; and servers without their passwords. */
ZEND_INI_DISP(php_mcp_settings_show_secret);
ZEND_INI_DISP(php_mcp_settings_show_servers);

/* Says after the settings were registered whether they are valid. False, with the mistakes reported by name and
 * value, if one was refused. */
bool php_mcp_settings_are_valid(void);

#endif
