<?php
/* What the generators of this folder share: complaints, the tree's files, and that a file is written if its text has changed, or
 * with --check compared. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Tools;

function fail(string $complaint): never
{
	fwrite(STDERR, basename($_SERVER['argv'][0]) . ": $complaint\n");
	exit(1);
}

/** The project's files that git tracks or would track. @return list<string> in the order of their bytes */
function tree_files(string $pattern = '/./'): array
{
	exec('git -c core.quotepath=off ls-files --cached --others --exclude-standard', $files);
	$files = array_unique(preg_grep($pattern, array_filter($files, is_file(...))));
	sort($files, SORT_STRING);
	return $files ?: fail("git names no file like $pattern");
}

/** Lines that only one of two texts has, as many as can be read at once. */
function difference(string $was, string $text): string
{
	[$was, $text] = [explode("\n", $was), explode("\n", $text)];
	$lines = [...preg_filter('/^/', '  - ', array_diff($was, $text)), ...preg_filter('/^/', '  + ', array_diff($text, $was))];
	return implode("\n", array_slice($lines ?: ['  (the order of its lines)'], 0, 20));
}

/**
 * Usage, --check, and the file's path if it was written.
 *
 * @param string $sources what the text is made of, for the complaint
 * @param callable(string): string $make runs in the project's folder, with the text that is there
 */
function write_generated(string $file, string $sources, callable $make): void
{
	$is_check = ($_SERVER['argv'][1] ?? '') === '--check';
	if ($_SERVER['argc'] > ($is_check ? 2 : 1)) {
		fail('usage: tools/' . basename($_SERVER['argv'][0]) . ' [--check]');
	}
	chdir(dirname(__DIR__));
	$was = (string) @file_get_contents($file);
	$text = $make($was);
	if ($text === $was) {
		return;
	}
	if ($is_check) {
		fail("$file is not what $sources; run tools/update:\n" . difference($was, $text));
	}
	file_put_contents($file, $text);
	echo $file, "\n";
}
