<?php
/* What the tools know of a page in Markdown: which of its lines are code, and what its headings are called in addresses. And of three
 * kinds of pages: the one of all classes, which a tool writes and another lays out, its examples, and docs/README.md, the map. The site's
 * navigation and llms.txt are made of its groups and their pages, so that what is not in the map is in neither. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Tools;

/** All classes on one page: what is between "<!-- cache -->" and "<!-- /cache -->" is made of that stub, the rest is written there. */
const OVERVIEW = 'docs/classes/reference.md';
/** A generated part of it, and its name. */
const PART = '~^<!-- (\w+) -->\n\K.*?(?=^<!-- /\1 -->$)~ms';

const MAP = 'docs/README.md';

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

/** The path without "." and "..", relative to the working folder, of what is there. */
function tidied_path(string $path): string
{
	$real = realpath($path);
	return $real === false ? $path : substr($real, strlen(getcwd()) + 1);
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

/** The map. @return array<string, array<string, string>> "To run it" => path of a page => what the map calls it */
function groups(): array
{
	$groups = [];
	$map = file_get_contents(MAP);
	foreach (preg_split('/\n\s*\n/', $map) as $paragraph) {
		$name = preg_match('/^\*\*(.+?):\*\*/', $paragraph, $found) ? $found[1] : ($groups === [] ? 'First' : null);
		preg_match_all('/\[([^]]+)\]\(([^()\s#]+\.md)\)/', $paragraph, $links, PREG_SET_ORDER);
		foreach ($name === null ? [] : $links as [, $words, $link]) {
			$groups[$name][tidied_path(dirname(MAP) . "/$link")] = preg_replace('/\s+/', ' ', trim($words));
		}
	}
	preg_match_all('/\]\(([^()\s]+)\)/', $map, $links);
	if (array_sum(array_map(count(...), $groups)) !== count(array_unique($links[1]))) {
		fail(MAP . ' has a link that is in no group: each paragraph after the first begins with "**Its name:**"');
	}
	return $groups;
}

/** llms.txt as llmstxt.org has it. @param callable(string): string $address of a page, by its path */
function llms_text(callable $address): string
{
	preg_match('/^# (\w+)\n\n(.*?)\n\n/s', file_get_contents('README.md'), $head);
	$text = "# $head[1]\n\n> " . preg_replace('/\s+/', ' ', $head[2]) . "\n\n";
	$text .= 'What it promises and what it does not is in the guarantees; how each method behaves, also while a server is down, in the reference.' . "\n";
	foreach (groups() as $name => $pages) {
		$text .= "\n## $name\n\n";
		foreach (array_keys($pages) as $page) {
			is_file($page) || fail(MAP . " leads to $page, which is not there");
			[$title, $summary] = title_and_summary(file_get_contents($page));
			$text .= '- [' . str_replace('`', '', $title) . '](' . $address($page) . "): $summary\n";
		}
	}
	return $text;
}

/**
 * The examples of the reference: examples/methods has a page for each class, on it a section for methods ("## acquire(), release()"), in
 * it a block of PHP that calls them, and what that prints. Tests run them all.
 *
 * @return array<string, array{code: string, prints: string, file: string}> by "Lock::acquire"
 */
function examples_by_method(string $root = '.'): array
{
	$examples = [];
	foreach (glob("$root/examples/methods/*.md") as $file) {
		$page = file_get_contents($file);
		if (!preg_match('/^# (\w+)$/m', $page, $class)) {
			fail("$file does not begin with its class, as \"# Lock\"");
		}
		preg_match_all('/^## (?<methods>[^\n]+)\n+```php\n(?<code>.*?)^```\n(?:\n```text\n(?<prints>.*?)^```\n)?/ms', $page, $found, PREG_SET_ORDER);
		if (count($found) !== preg_match_all('/^## /m', $page)) {
			fail("$file has a section that is not one heading, one block of php, and maybe one of text");
		}
		foreach ($found as $one) {
			foreach (explode(', ', strtr($one['methods'], ['new' => '__construct', '()' => ''])) as $method) {
				$name = "$class[1]::$method";
				if (isset($examples[$name])) {
					fail("$file has two examples of $name()");
				}
				if (!preg_match($method === '__construct' ? "/\\bnew $class[1]\\(/" : "/(?:->|::)$method\\(/", $one['code'])) {
					fail("$file: the example of $name() does not call it");
				}
				$examples[$name] = ['code' => $one['code'], 'prints' => $one['prints'] ?? '', 'file' => $file];
			}
		}
	}
	return $examples;
}
