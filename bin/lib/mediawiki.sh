# Brings MediaWiki as Debian packages it into .build/mediawiki, without installing it: it would bring a web server that starts
# by itself. Sourced by bin/test; asks the network only while it is not there.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

mediawiki=$root/.build/mediawiki/usr/share/mediawiki

# PHP's modules that it wants, one package a line.
missing_for_mediawiki() {
	has_php_module intl || php_package intl
}

mediawiki_packages() {
	printf '%s\n' mediawiki mediawiki-classes
}

# Why not is in $why_not.
find_mediawiki() {
	unpack_once mediawiki "$mediawiki/includes/Defines.php" mediawiki_packages
}

mediawiki_version() {
	sed -n "s/^define( *'MW_VERSION', '\(.*\)' *);/\1/p" "$mediawiki/includes/Defines.php"
}

# The tests of adapters/mediawiki, which are no set of the adapters' own: MediaWiki is no package of Composer's.
stage_mediawiki() {
	can_run PHPUnit dom intl mbstring pcntl pdo_sqlite tokenizer xmlwriter || { skip; return; }
	find_mediawiki || { skip "no MediaWiki: $why_not"; return; }
	stage_note="MediaWiki $(mediawiki_version), on SQLite"
	run_counted mediawiki env MEDIAWIKI="$mediawiki" "$php" adapters/tests/run mediawiki "$composer_folder" "$extension"
}
