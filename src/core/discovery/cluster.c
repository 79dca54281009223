/* Parses the reply of a discovery endpoint in one pass: one line with the version, one with the servers,
 * separated by spaces. */
/* SPDX-License-Identifier: MIT */
#include "cluster.h"

#include "../decimal.h"

#define HOST_MAX 255
#define PORT_MAX 65535

static bool is_blank(char byte) {
	return byte == ' ' || byte == '\r' || byte == '\n';
}

/* Take the bytes before the first `end`, and skip that byte. Returns false if there is none. */
static bool take_until(mcp_bytes *rest, char end, mcp_bytes *taken) {
	const char *at = rest->length > 0 ? memchr(rest->data, end, rest->length) : NULL;
	if (at == NULL) {
		return false;
	}
	*taken = mcp_bytes_of(rest->data, (size_t)(at - rest->data));
	*rest = mcp_bytes_of(at + 1, rest->length - taken->length - 1);
	return true;
}

static bool is_number_byte(char byte) {
	return byte >= '0' && byte <= '9';
}

/* Digits only: "9 " and "-0" are not valid versions or ports. */
static bool read_number(mcp_bytes text, uint64_t most, uint64_t *number) {
	for (size_t i = 0; i < text.length; i++) {
		if (!is_number_byte(text.data[i])) {
			return false;
		}
	}
	return mcp_decimal_parse_u64(text, number) && *number <= most;
}

static bool is_host_byte(char byte) {
	return is_number_byte(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
		byte == '.' || byte == '-' || byte == '_' || byte == ':';
}

static bool is_host(mcp_bytes text) {
	for (size_t i = 0; i < text.length; i++) {
		if (!is_host_byte(text.data[i])) {
			return false;
		}
	}
	return text.length > 0 && text.length <= HOST_MAX;
}

static bool add(mcp_cluster *cluster, mcp_bytes bytes) {
	if (bytes.length > sizeof(cluster->text) - cluster->length) {
		return false;
	}
	memcpy(cluster->text + cluster->length, bytes.data, bytes.length);
	cluster->length += bytes.length;
	return true;
}

static bool add_text(mcp_cluster *cluster, const char *text) {
	return add(cluster, mcp_bytes_of(text, strlen(text)));
}

static bool add_server(mcp_cluster *cluster, mcp_bytes host, uint64_t port) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_bytes number = mcp_bytes_of(digits, mcp_decimal_format_u64(port, digits));
	bool is_ipv6 = memchr(host.data, ':', host.length) != NULL;
	bool is_first = cluster->servers++ == 0;
	return add_text(cluster, is_first ? "" : ",") && add_text(cluster, is_ipv6 ? "[" : "") &&
		add(cluster, host) && add_text(cluster, is_ipv6 ? "]:" : ":") && add(cluster, number);
}

static mcp_cluster_verdict read_server(mcp_bytes server, mcp_cluster *cluster) {
	mcp_bytes name, address;
	uint64_t port;
	if (!take_until(&server, '|', &name) || !take_until(&server, '|', &address) ||
		!read_number(server, PORT_MAX, &port) || port == 0) {
		return MCP_CLUSTER_WRONG;
	}
	mcp_bytes host = name.length > 0 ? name : address;
	if (!is_host(host)) {
		return MCP_CLUSTER_WRONG;
	}
	return add_server(cluster, host, port) ? MCP_CLUSTER_RIGHT : MCP_CLUSTER_TOO_LONG;
}

static mcp_bytes take_word(mcp_bytes *rest) {
	size_t length = 0;
	while (length < rest->length && !is_blank(rest->data[length])) {
		length++;
	}
	mcp_bytes word = mcp_bytes_of(rest->data, length);
	*rest = mcp_bytes_of(rest->data + length, rest->length - length);
	return word;
}

static void skip_blanks(mcp_bytes *rest) {
	while (rest->length > 0 && is_blank(rest->data[0])) {
		*rest = mcp_bytes_of(rest->data + 1, rest->length - 1);
	}
}

static mcp_cluster_verdict read_servers(mcp_bytes rest, mcp_cluster *cluster) {
	for (skip_blanks(&rest); rest.length > 0; skip_blanks(&rest)) {
		mcp_cluster_verdict verdict = read_server(take_word(&rest), cluster);
		if (verdict != MCP_CLUSTER_RIGHT) {
			return verdict;
		}
	}
	return cluster->servers > 0 ? MCP_CLUSTER_RIGHT : MCP_CLUSTER_EMPTY;
}

mcp_cluster_verdict mcp_cluster_read(mcp_bytes value, mcp_cluster *cluster) {
	cluster->version = 0;
	cluster->servers = 0;
	cluster->length = 0;
	mcp_bytes line = value;
	mcp_bytes rest = value;
	if (value.length > MCP_CLUSTER_ANSWER_MAX) {
		return MCP_CLUSTER_TOO_LONG;
	}
	if (!take_until(&rest, '\n', &line)) {
		rest = mcp_bytes_of(value.data, 0);
	}
	if (line.length > 0 && line.data[line.length - 1] == '\r') {
		line.length--;
	}
	return read_number(line, UINT64_MAX, &cluster->version) ? read_servers(rest, cluster)
															: MCP_CLUSTER_WRONG;
}
