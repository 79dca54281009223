# Brings MediaWiki as Debian packages it into .build/mediawiki, without installing it: it would bring a web server that starts
# by itself. Sourced by bin/test; asks the network only while it is not there.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

mediawiki=$root/.build/mediawiki/usr/share/mediawiki

# PHP's modules that it wants, one package a line.
missing_for_mediawiki() {
	has_php_module intl || php_package intl
}

download_mediawiki() {
	cd "$1" && apt-get -q download mediawiki mediawiki-classes && ls -- *.deb
}

# Why not is in $why_not.
find_mediawiki() {
	local folder=$root/.build/mediawiki.new package
	[ ! -e "$mediawiki/includes/Defines.php" ] || return 0
	has_command apt-get && has_command dpkg-deb || { why_not="there is no apt-get"; return 1; }
	rm -rf "$folder" "$root/.build/mediawiki"
	mkdir -p "$folder"
	in_group "$logs/mediawiki-package" download_mediawiki "$folder" || { why_not="no package mediawiki can be had, see ${logs#"$root"/}/mediawiki-package"; return 1; }
	for package in "$folder"/*.deb; do
		dpkg-deb -x "$package" "$folder" || { why_not="$package cannot be unpacked"; return 1; }
	done
	rm -f "$folder"/*.deb
	mv "$folder" "$root/.build/mediawiki"
}

mediawiki_version() {
	sed -n "s/^define( *'MW_VERSION', '\(.*\)' *);/\1/p" "$mediawiki/includes/Defines.php"
}

# The tests of adapters/mediawiki, which are no set of the adapters' own: MediaWiki is no package of Composer's.
test_mediawiki() {
	can_run PHPUnit dom intl mbstring pcntl pdo_sqlite tokenizer xmlwriter || { count 0 0 1; return; }
	find_mediawiki || { count 0 0 1; stage_without="no MediaWiki: $why_not"; return; }
	run_counted mediawiki env MEDIAWIKI="$mediawiki" "$php" adapters/tests/run mediawiki "$composer_folder" "$extension"
}
