/* A failure of TLS in plain words that follow "the server ". */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TLS_WORDS_H
#define MCP_PHP_TLS_WORDS_H

/* Says what a warning of PHP's means. Every answer is a text of our own: a warning may quote a certificate. */
const char *php_mcp_tls_words_for(const char *warning);

#endif
