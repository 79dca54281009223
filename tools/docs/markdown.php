<?php
/* What the tools know of a page in Markdown: which of its lines are code, what its headings are called in addresses, and where its
 * links lead. And the page of all classes, which a tool writes and another lays out. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

/** All classes on one page: what is between "<!-- cache -->" and "<!-- /cache -->" is made of that stub, the rest is written there. */
const OVERVIEW = 'docs/classes/reference.md';
/** A generated part of it, and its name. */
const PART = '~^<!-- (\w+) -->\n\K.*?(?=^<!-- /\1 -->$)~ms';

/** A sentence for the user of the tool; nothing is wrong with the program. */
final class Complaint extends \RuntimeException
{
}

/** The text without blocks of code, in which brackets mean something else. */
function prose(string $text): string
{
	return preg_replace('/^```.*?^```$/ms', '', $text);
}

/** The names that GitHub gives to a page's headings, in their order. @return list<string> */
function heading_names(string $text): array
{
	$names = [];
	preg_match_all('/^#+ +(.*)$/m', prose($text), $headings);
	foreach ($headings[1] as $heading) {
		$words = preg_replace('/\[([^]]*)\]\([^)]*\)/', '$1', $heading);
		$name = $plain = str_replace(' ', '-', preg_replace('/[^\p{L}\p{N} _-]/u', '', strtolower(trim($words))));
		for ($again = 1; in_array($name, $names, true); $again++) {
			$name = "$plain-$again";
		}
		$names[] = $name;
	}
	return $names;
}

/** The links to files, as they are written there. @return list<string> */
function links(string $text): array
{
	preg_match_all('/\]\(([^()\s]+)\)/', prose($text), $found);
	return array_values(array_filter($found[1], fn (string $link): bool => !preg_match('~^[a-z]+:~', $link)));
}

/** The path without "." and "..", relative to the working folder, of what is there. */
function tidied_path(string $path): string
{
	$real = realpath($path);
	return $real === false ? $path : substr($real, strlen(getcwd()) + 1);
}

/** How a page of one path links to a file of another, both relative to the same folder. */
function relative_link(string $from, string $to): string
{
	$from = array_slice(explode('/', $from), 0, -1);
	$to = explode('/', $to);
	while ($from !== [] && count($to) > 1 && $from[0] === $to[0]) {
		array_shift($from);
		array_shift($to);
	}
	return str_repeat('../', count($from)) . implode('/', $to);
}

/** Calls $change for each line that is no code, and keeps the others. @param callable(string): string $change */
function change_prose(string $text, callable $change): string
{
	return preg_replace_callback('/^\h*```(?s:.*?)^\h*```$(*SKIP)(*FAIL)|^.*$/m', fn (array $line): string => $change($line[0]), $text);
}

/** What a page is called, and the first sentence under its heading. @return array{string, string} */
function title_and_summary(string $text): array
{
	preg_match('/^# +(.*)$/m', $text, $title);
	$paragraphs = preg_split('/\n\s*\n/', prose($text));
	$plain = array_values(preg_grep('/^(?:[#!|>]|<!--|- |    |\s*$)/', array_map(ltrim(...), $paragraphs), PREG_GREP_INVERT));
	$said = preg_replace(['/\s+/', '/!?\[([^]]*)\]\([^)]*\)/'], [' ', '$1'], $plain[0] ?? '');
	preg_match('/^.*?[.:](?= |$)/', $said, $sentence);
	return [$title[1] ?? '', rtrim($sentence[0] ?? $said, ':.') . '.'];
}
