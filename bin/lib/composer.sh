# Brings what tests/types/composer.json names into .build/composer, once, and runs it. Sourced by bin/test; asks the
# network only while it is not there.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

composer_folder=$root/.build/composer

# Modules are "$php"'s matter, which need not be composer's PHP.
install_packages_of_composer() {
	local wanted=$root/tests/types/composer.json
	if cmp -s "$wanted" "$composer_folder/composer.json" && [ -e "$composer_folder/vendor/autoload.php" ]; then
		return 0
	fi
	has_command composer || { stage_without="there is no composer"; return 1; }
	rm -rf "$composer_folder"
	mkdir -p "$composer_folder"
	cp "$wanted" "$composer_folder/composer.json"
	in_group "$logs/composer" env COMPOSER_ALLOW_SUPERUSER=1 composer install --no-interaction --no-progress \
		--ignore-platform-req='ext-*' --working-dir="$composer_folder" && return
	rm -f "$composer_folder/composer.json"
	stage_without="composer could not install it, see ${logs#"$root"/}/composer"
	return 1
}

# can_run PACKAGE PHP-MODULE ...
can_run() {
	local name=$1 module modules
	shift
	modules=$("$php" -m)
	for module in "$@"; do
		grep -qix "$module" <<< "$modules" || { stage_without="no $name: this PHP has no module $module"; return 1; }
	done
	install_packages_of_composer || { stage_without="no $name: $stage_without"; return 1; }
}
