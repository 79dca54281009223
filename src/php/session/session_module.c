/* Finds its functions by their names, and its globals by its entry among the modules. */
/* SPDX-License-Identifier: MIT */
#include "session_module.h"

#include "../value/peer_module.h"
#include "php_ini.h"

#ifdef MCP_HAS_SESSION_HEADERS

/* Written when the module starts, and never after. */
static struct {
	const zend_module_entry *entry; /* NULL: it is not there */
	zend_string *(*create_id)(PS_CREATE_SID_ARGS);
	zend_result (*flush)(int write);
} session;

php_ps_globals *php_mcp_session_module_globals(void) {
#ifdef ZTS
	return TSRMG_BULK(*session.entry->globals_id_ptr, php_ps_globals *);
#else
	return session.entry->globals_ptr;
#endif
}

/* Chooses the handler where php.ini names it: session has read that before there was one, and looks again when a request
 * begins, which is after the first upload has been reported. */
static void choose(const ps_module *handler) {
	php_ps_globals *globals = php_mcp_session_module_globals();
	const char *name = zend_ini_string("session.save_handler", strlen("session.save_handler"), 0);
	if (globals->mod == NULL && name != NULL && strcmp(name, handler->s_name) == 0) {
		globals->mod = handler;
	}
}

bool php_mcp_session_module_register(const ps_module *handler) {
	zend_result (*enlist)(const ps_module *) =
		(zend_result(*)(const ps_module *))php_mcp_peer_module_function("session",
			"php_session_register_module");
	session.create_id = (zend_string * (*)(PS_CREATE_SID_ARGS))
		php_mcp_peer_module_function("session", "php_session_create_id");
	session.flush =
		(zend_result(*)(int))php_mcp_peer_module_function("session", "php_session_flush");
	if (enlist == NULL || session.create_id == NULL || session.flush == NULL ||
		enlist(handler) != SUCCESS) {
		return false;
	}
	session.entry = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("session"));
	choose(handler);
	return true;
}

zend_string *php_mcp_session_module_create_id(void) {
	return session.create_id(NULL);
}

void php_mcp_session_module_flush(void) {
	session.flush(1);
}

bool php_mcp_session_module_is_here(void) {
	return session.entry != NULL;
}

#else

zend_string *php_mcp_session_module_create_id(void) {
	return NULL;
}

bool php_mcp_session_module_is_here(void) {
	return false;
}

#endif
