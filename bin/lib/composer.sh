# Brings what a composer.json names into a folder of .build/, once, and runs it. Sourced by bin/test; asks the network only
# while it is not there.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

composer_folder=$root/.build/composer

# install_packages_of COMPOSER.JSON FOLDER; why not is in $why_not. Modules are "$php"'s matter, which need not be
# composer's PHP. Of two lanes that want the same, one waits.
install_packages_of() {
	local status
	mkdir -p "$(dirname "$2")"
	exec 8> "$2.lock" || return 1
	flock 8
	install_once "$@"
	status=$?
	exec 8>&-
	return "$status"
}

install_once() {
	local wanted=$1 folder=$2 log=$logs/composer-${2##*/}
	if cmp -s "$wanted" "$folder/composer.json" && [ -e "$folder/vendor/autoload.php" ]; then
		return 0
	fi
	has_command composer || { why_not="there is no composer"; return 1; }
	why_not="composer could not install it, see ${log#"$root"/}"
	[ ! -e "$log" ] || return 1 # tried in this run
	rm -rf "$folder"
	mkdir -p "$folder"
	cp "$wanted" "$folder/composer.json"
	in_group "$log" env COMPOSER_ALLOW_SUPERUSER=1 composer install --no-interaction --no-progress \
		--ignore-platform-req='ext-*' --working-dir="$folder" && return
	rm -f "$folder/composer.json"
	return 1
}

# install_framework SET: the packages of a set of the adapters' tests, in .build/adapters/SET.
install_framework() {
	install_packages_of "$root/adapters/tests/$1/composer.json" "$root/.build/adapters/$1"
}

# Brings all at once what the adapters and PHPStan need, while others use the processors: who needs one waits for it.
bring_packages() {
	local set
	for set in "$root"/adapters/tests/*/composer.json; do
		install_framework "$(basename "$(dirname "$set")")" &
	done
	install_packages_of "$root/tests/types/composer.json" "$composer_folder"
	wait
}

# modules_of SET: the PHP modules that its composer.json names.
modules_of() {
	sed -n 's/^ *"ext-\([a-z_]*\)":.*/\1/p' "$root/adapters/tests/$1/composer.json"
}

has_php_modules() {
	local module modules
	modules=$("$php" -m)
	for module in "$@"; do
		grep -qix "$module" <<< "$modules" || { why_not="this PHP has no module $module"; return 1; }
	done
}

# can_run PACKAGE PHP-MODULE ...
can_run() {
	local name=$1
	shift
	has_php_modules "$@" && install_packages_of "$root/tests/types/composer.json" "$composer_folder" && return
	say_without "no $name: $why_not"
	return 1
}

# The adapters' tests: each folder with a composer.json is a set of its own, with packages of its own.
stage_adapters() {
	local set folder
	check "composer.json" env PHP="$php" tools/check-composer || :
	for set in "$root"/adapters/tests/*/composer.json; do
		set=$(basename "$(dirname "$set")")
		folder=$root/.build/adapters/$set
		# shellcheck disable=SC2046
		if has_php_modules dom mbstring pcntl tokenizer xmlwriter $(modules_of "$set") && install_framework "$set"; then
			run_counted "adapters-$set" "$php" adapters/tests/run "$set" "$folder" "$extension"
			name_skipped_adapters "$set"
			analyse_adapters "$set" "$folder"
		else
			skip "no $set: $why_not"
		fi
	done
}

# The classes of a set that has a phpstan.neon, at PHPStan's highest level, with the packages that they are for.
analyse_adapters() {
	[ "$quick" = no ] && [ -e "$root/adapters/tests/$1/phpstan.neon" ] || return 0
	can_run PHPStan phar tokenizer || { skip; return 0; }
	check "phpstan of $1" "$php" -d memory_limit=1G "$composer_folder/vendor/bin/phpstan" analyse --no-progress --no-interaction \
		--configuration="$root/adapters/tests/$1/phpstan.neon" --autoload-file="$2/vendor/autoload.php" || :
}

name_skipped_adapters() {
	local skipped
	skipped=$(sed -n 's/^skipped: //p' "$logs/adapters-$1" | paste -sd, | sed 's/,/, /g')
	say_without "${skipped:+skipped: $skipped}"
}
