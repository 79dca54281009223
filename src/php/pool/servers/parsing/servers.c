/* The parser for lists of servers: takes them apart, and refuses what stands in one twice. */
/* SPDX-License-Identifier: MIT */
#include "servers.h"

#include "../../../../store/cluster/router.h"
#include "server_text.h"

/* Fills a list. A list of one has nothing to be told apart. */
typedef struct filling {
	mcp_server_list *list;
	HashTable seen; /* identities of servers */
} filling;

#define IDENTITY_MAX (MCP_SERVER_ADDRESS_MAX + MCP_HOST_IDENTITY_MAX)

/* Writes what is one for all ways of writing this server: its port and host, or the address. */
static size_t identify(char *identity, const mcp_server *server) {
	size_t length = strlen(server->host);
	if (server->kind != MCP_SERVER_TCP) {
		size_t address_length = strlen(server->address);
		memcpy(identity, server->address, address_length);
		return address_length;
	}
	identity[0] = (char)(server->port >> 8);
	identity[1] = (char)(server->port & 0xff);
	return 2 + php_mcp_host_identify(identity + 2, server->host, length);
}

static bool was_seen(filling *work, const mcp_server *server) {
	char identity[IDENTITY_MAX];
	size_t length = identify(identity, server);
	return zend_hash_str_add_empty_element(&work->seen, identity, length) == NULL;
}

static zend_string *append(filling *work, mcp_bytes text, bool is_alone) {
	mcp_server_list *list = work->list;
	if (list->count == MCP_SERVERS_MAX) {
		return php_mcp_server_text_mistake(
			"have at most " ZEND_TOSTR(MCP_SERVERS_MAX) " servers, \"%s\" is one too many",
			php_mcp_server_text_without_secret(text));
	}
	mcp_server *server = &list->servers[list->count];
	zend_string *error = php_mcp_server_read(server, text);
	if (error != NULL) {
		return error;
	}
	if (!is_alone && server->is_discovery) {
		return php_mcp_server_text_mistake(
			"name no other server beside \"discover://%s\", which tells all of them",
			mcp_bytes_of(server->address, strlen(server->address)));
	}
	if (!is_alone && was_seen(work, server)) {
		return php_mcp_server_text_mistake("not name a server twice, \"%s\" given",
			php_mcp_server_text_without_secret(text));
	}
	list->count++;
	return NULL;
}

static filling begin(mcp_server_list *list, size_t capacity) {
	filling work = {.list = list};
	list->count = 0;
	list->servers = safe_emalloc(MIN(capacity, MCP_SERVERS_MAX), sizeof(mcp_server), 0);
	zend_hash_init(&work.seen, 0, NULL, NULL, 0);
	return work;
}

static zend_string *finish(filling *work, zend_string *error) {
	zend_hash_destroy(&work->seen);
	if (error != NULL) {
		php_mcp_servers_free(work->list);
	}
	return error;
}

static zend_string *parse_text(mcp_server_list *list, mcp_bytes text) {
	mcp_bytes rest = text;
	size_t commas = 0;
	for (size_t i = 0; i < rest.length; i++) {
		commas += rest.data[i] == ',';
	}
	filling work = begin(list, commas + 1);
	zend_string *error = NULL;
	bool has_more = true;
	while (has_more && error == NULL) {
		mcp_bytes part = php_mcp_server_text_take_until(&rest, ',', &has_more);
		error = append(&work, php_mcp_server_text_trim(part), commas == 0);
	}
	return finish(&work, error);
}

static zend_string *parse_texts(mcp_server_list *list, HashTable *texts) {
	uint32_t count = zend_hash_num_elements(texts);
	if (count == 0) {
		return zend_strpprintf(0, "name at least one server");
	}
	filling work = begin(list, count);
	zend_string *error = NULL;
	zval *text;
	ZEND_HASH_FOREACH_VAL(texts, text) {
		ZVAL_DEREF(text);
		if (Z_TYPE_P(text) != IS_STRING) {
			error = zend_strpprintf(0, "be a list of strings, %s in it given",
				zend_zval_type_name(text));
		} else {
			mcp_bytes part = mcp_bytes_of(Z_STRVAL_P(text), Z_STRLEN_P(text));
			error = append(&work, part, count == 1);
		}
		if (error != NULL) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	return finish(&work, error);
}

zend_string *php_mcp_servers_parse(mcp_server_list *list, const mcp_written_servers *written) {
	return written->texts != NULL ? parse_texts(list, written->texts)
								  : parse_text(list, written->text);
}

void php_mcp_servers_free(mcp_server_list *list) {
	efree(list->servers);
	*list = (mcp_server_list){0};
}
