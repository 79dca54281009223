# Whose warnings are errors. Sourced by bin/test.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# The newest releases that have compiled all of this without a warning: theirs, and older ones', are errors. What a newer
# one warns of is reported, and stops nobody.
newest_known_gcc=16
newest_known_clang=21

is_known_compiler() {
	local newest=$newest_known_gcc
	case "$("$1" --version 2> /dev/null)" in *clang*) newest=$newest_known_clang ;; esac
	[ "$("$1" -dumpversion 2> /dev/null | cut -d. -f1)" -le "$newest" ] 2> /dev/null
}

# What makes an error of this compiler's warnings, or nothing: for the Makefiles' WERROR and the checks.
strictness() {
	! is_known_compiler "$1" || echo -Werror
}

# What an unknown compiler has warned of, in the logs that are named.
report_warnings() {
	local warnings
	! is_known_compiler "$compiler" || return 0
	warnings=$(grep -hE ': warning: ' "$@" 2> /dev/null | sort -u)
	[ -n "$warnings" ] || return 0
	echo "  warnings of $compiler $("$compiler" -dumpversion), which is newer than those that are known:"
	head -n 20 <<< "$warnings" | sed 's/^/    /'
}
