/* Does between two requests of one process what mcpatterns.c does at the end of PHP's own. Objects stay, and what their
 * user has set: listeners, MC's Cache and a frozen Clock. */
/* SPDX-License-Identifier: MIT */
#include "request_end.h"

#include "../cache/cache_claims.h"
#include "../cache/near/cache_memo.h"
#include "../cache/tags/cache_looks.h"
#include "../host/give_back.h"
#include "../key/key_drift.h"
#include "../metrics/strip_file.h"
#include "servers/connections.h"
#include "telling.h"

void php_mcp_request_end(void) {
	bool were_over = php_mcp_telling_set_over(true);
	php_mcp_give_back_between();
	php_mcp_cache_claims_reset_between();
	php_mcp_telling_set_over(were_over);
	php_mcp_cache_looks_reset();
	php_mcp_memo_empty_all();
	php_mcp_key_drift_reset();
	php_mcp_strip_file_end_lines();
	php_mcp_connections_end_request();
}
