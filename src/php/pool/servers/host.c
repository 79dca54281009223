/* Hosts by the system's own reading of addresses. */
/* SPDX-License-Identifier: MIT */
#include "host.h"

#include "../../../store/caseless.h"

#include <string.h>

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

/* Reads the address without its zone, which is "" if there is none, or behind the '%'. */
static bool read_ipv6(const char *host, struct in6_addr *address, const char **zone) {
	char text[INET6_ADDRSTRLEN];
	size_t length = strcspn(host, "%");
	if (length >= sizeof(text)) {
		return false;
	}
	memcpy(text, host, length);
	text[length] = '\0';
	bool has_zone = host[length] == '%';
	*zone = host + length + has_zone;
	return (!has_zone || **zone != '\0') && inet_pton(AF_INET6, text, address) == 1;
}

bool php_mcp_host_is_numeric(const char *host) {
	return host[strspn(host, "0123456789.")] == '\0';
}

bool php_mcp_host_is_ipv4(const char *host) {
	struct in_addr address;
	return inet_pton(AF_INET, host, &address) == 1;
}

bool php_mcp_host_is_ipv6(const char *host) {
	struct in6_addr address;
	const char *zone;
	return read_ipv6(host, &address, &zone);
}

bool php_mcp_host_is_same(const char *one, const char *other) {
	struct in6_addr address, other_address;
	const char *zone, *other_zone;
	if (!read_ipv6(one, &address, &zone) || !read_ipv6(other, &other_address, &other_zone)) {
		return mcp_caseless_compare(one, other) == 0;
	}
	return memcmp(&address, &other_address, sizeof(address)) == 0 && strcmp(zone, other_zone) == 0;
}
