# Brings WordPress as Debian packages it into .build/wordpress, without installing it: it would bring a web server that starts
# by itself. Sourced by bin/test and by the benchmarks; asks the network only while it is not there.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

wordpress=$root/.build/wordpress/usr/share/wordpress

# MariaDB's server without the service, and PHP's way to it. One package a line.
missing_for_wordpress() {
	[ -x /usr/sbin/mariadbd ] || echo mariadb-server-core
	has_php_module mysqli || php_package mysql
}

# The package and its themes, of which it has none itself.
wordpress_packages() {
	echo wordpress
	apt-cache pkgnames wordpress-theme-
}

# Why not is in $why_not.
find_wordpress() {
	unpack_once wordpress "$wordpress/wp-includes/version.php" wordpress_packages
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
