/* The connection is the question's own: no Pool's endpoint is asked for items. */
/* SPDX-License-Identifier: MIT */
#include "discovery_asking.h"

#include "../../../store/wire/direct/wire_direct_cluster.h"
#include "../../host/environment.h"

mcp_status php_mcp_discovery_asking_ask(const mcp_server *endpoint,
	const mcp_discovery_terms *terms, mcp_cluster *cluster, mcp_reason *reason) {
	mcp_wire_settings settings = {
		.host = endpoint->host,
		.port = endpoint->port,
		.connect_timeout_ms = terms->connect_timeout_ms,
		.timeout_ms = terms->timeout_ms,
	};
	mcp_channel carrier;
	if (endpoint->is_tls) {
		carrier = php_mcp_server_access_carrier(terms->access, endpoint->host);
		settings.carrier = &carrier;
	}
	if (terms->access != NULL) {
		php_mcp_server_secret_show(&terms->access->secret, &settings.user, &settings.password);
	}
	return mcp_wire_direct_discover(&settings, php_mcp_environment_get(), cluster, reason);
}
