# The applications of Symfony and Laravel over the adapters, with the packages of the adapters' tests. Sourced by bin/test and by the
# benchmarks.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# Why not is in $why_not.
find_frameworks() {
	local framework
	for framework in symfony laravel; do
		install_framework "$framework" || return 1
	done
}

stage_applications() {
	find_frameworks || { skip "no frameworks: $why_not"; return; }
	stage_note="Symfony and Laravel behind php-fpm"
	run_counted applications "$php" tests/applications/run "$extension" "$root/.build/adapters"
}
