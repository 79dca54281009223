# Applications over the adapters: those of Symfony and Laravel with the packages of the adapters' tests; MediaWiki and WordPress as Debian
# packages them, in .build/mediawiki and .build/wordpress, without installing them: they would bring a web server that starts by itself.
# Sourced by bin/test and by the benchmarks; asks the network only while they are not there.
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

# --- MediaWiki ---

mediawiki=$root/.build/mediawiki/usr/share/mediawiki

# PHP's modules that it wants, one package a line.
missing_for_mediawiki() {
	has_php_module intl || php_package intl
}

# Why not is in $why_not.
find_mediawiki() {
	unpack_once mediawiki "$mediawiki/includes/Defines.php" mediawiki mediawiki-classes
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

# --- WordPress ---

wordpress=$root/.build/wordpress/usr/share/wordpress

# MariaDB's server without the service, and PHP's way to it. One package a line.
missing_for_wordpress() {
	[ -x /usr/sbin/mariadbd ] || echo mariadb-server-core
	has_php_module mysqli || php_package mysql
}

# With themes, of which the package has none itself. Why not is in $why_not.
find_wordpress() {
	# shellcheck disable=SC2046
	unpack_once wordpress "$wordpress/wp-includes/version.php" wordpress $(apt-cache pkgnames wordpress-theme- 2> /dev/null)
}

wordpress_version() {
	sed -n "s/^\$wp_version = '\(.*\)';/\1/p" "$wordpress/wp-includes/version.php"
}

stage_wordpress() {
	find_wordpress || { skip "$why_not"; return; }
	run_counted wordpress "$php" tests/wordpress/run "$extension" "$wordpress"
	stage_note="WordPress $(wordpress_version), $(/usr/sbin/mariadbd --version | grep -o '[0-9.]*-MariaDB')"
	note_skipped wordpress
}
