# Lints the pages, for bin/test. Sourced by it.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

missing_for_prose() {
	has_command node || echo nodejs
	has_command npm || echo npm
}

test_prose() {
	run_counted prose tools/prose/lint
	[ "$stage_skipped" -eq 0 ] || stage_without=$(head -n 1 "$logs/prose")
}
