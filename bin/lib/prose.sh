# Lints the pages, for bin/test. Sourced by it.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

missing_for_prose() {
	has_command node || echo nodejs
	has_command npm || echo npm
}

# What the pages say, by linters of others.
stage_prose() {
	run_counted prose tools/prose/lint
	stage_note="by Node $(node --version 2> /dev/null | tr -d v)"
	note_skipped prose
}
