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

download_wordpress() {
	local packages
	mapfile -t packages < <(wordpress_packages)
	cd "$1" && apt-get -q download "${packages[@]}" && ls -- *.deb
}

# Why not is in $why_not.
find_wordpress() {
	local folder=$root/.build/wordpress.new package
	[ ! -e "$wordpress/wp-includes/version.php" ] || return 0
	has_command apt-get && has_command dpkg-deb || { why_not="there is no apt-get"; return 1; }
	rm -rf "$folder" "$root/.build/wordpress"
	mkdir -p "$folder"
	in_group "$logs/wordpress-package" download_wordpress "$folder" || { why_not="no package wordpress can be had, see ${logs#"$root"/}/wordpress-package"; return 1; }
	for package in "$folder"/*.deb; do
		dpkg-deb -x "$package" "$folder" || { why_not="$package cannot be unpacked"; return 1; }
	done
	rm -f "$folder"/*.deb
	mv "$folder" "$root/.build/wordpress"
}

wordpress_version() {
	sed -n "s/^\$wp_version = '\(.*\)';/\1/p" "$wordpress/wp-includes/version.php"
}
