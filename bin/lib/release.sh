# What tools/make-release and tools/try-install share: the committed tree, the packages that they want, and whether the extension works.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

set -eu
. "$(dirname -- "${BASH_SOURCE[0]}")/tree.sh"
export DEBIAN_FRONTEND=noninteractive NO_INTERACTION=1
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

fail() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# A container's root may read a tree that is another user's.
ask_git() {
	git -C "$root" -c safe.directory="$root" "$@"
}

# The files that a user gets, by .gitattributes.
archive() {
	ask_git -c core.autocrlf=false -c tar.umask=0022 archive --worktree-attributes --format=tar "$@"
}

version() {
	sed -n 's/^#define PHP_MCPATTERNS_VERSION "\(.*\)"$/\1/p' "$root/php_mcpatterns.h"
}

install_packages() {
	apt-get update -q > /dev/null && apt-get install -q -y --no-install-recommends "$@" > /dev/null
}

# assert_works PHP OPTION ...
assert_works() {
	"$@" -r '
		$cache = new McPatterns\Cache(new McPatterns\Pool("memory://release"));
		$is_right = $cache->remember("key", 60, fn () => "value") === "value" && $cache->peek("key") === "value";
		echo "loads in ", PHP_BINARY, ": ", PHP_VERSION, ", mcpatterns ", phpversion("mcpatterns"), "\n";
		exit($is_right && phpversion("mcpatterns") === $argv[1] ? 0 : 1);' "$(version)" || fail "the extension does not load, or does not work, in $1"
}
