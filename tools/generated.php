<?php
/* What the generators of this folder share: a file is written if its text has changed, or with --check compared. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Tools;

function fail(string $complaint): never
{
	fwrite(STDERR, basename($_SERVER['argv'][0]) . ": $complaint\n");
	exit(1);
}

/**
 * The whole of a generator: usage, --check, and the file's path if it was written.
 *
 * @param string $sources what the text is made of, for the complaint
 * @param callable(): string $make runs in the project's folder
 */
function write_generated(string $file, string $sources, callable $make): void
{
	$is_check = ($_SERVER['argv'][1] ?? '') === '--check';
	if ($_SERVER['argc'] > ($is_check ? 2 : 1)) {
		fail('usage: tools/' . basename($_SERVER['argv'][0]) . ' [--check]');
	}
	chdir(dirname(__DIR__));
	try {
		$text = $make();
	} catch (\McPatterns\Docs\Complaint $complaint) {
		fail($complaint->getMessage());
	}
	if ($text === (string) @file_get_contents($file)) {
		return;
	}
	if ($is_check) {
		fail("$file is not what $sources; run tools/update");
	}
	file_put_contents($file, $text);
	echo $file, "\n";
}
