<?php
/* Reads docs/README.md, the map: its groups and their pages, in their order. The site's navigation and llms.txt are made of it, so that
 * what is not in the map is in neither, and what is in it is in both. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

const MAP = 'docs/README.md';

/** @return array<string, array<string, string>> "To run it" => path of a page => what the map calls it */
function groups(): array
{
	$groups = [];
	foreach (preg_split('/\n\s*\n/', file_get_contents(MAP)) as $paragraph) {
		$name = preg_match('/^\*\*(.+?):\*\*/', $paragraph, $found) ? $found[1] : ($groups === [] ? 'First' : null);
		preg_match_all('/\[([^]]+)\]\(([^()\s#]+\.md)\)/', $paragraph, $links, PREG_SET_ORDER);
		foreach ($name === null ? [] : $links as [, $words, $link]) {
			$groups[$name][tidied_path(dirname(MAP) . "/$link")] = preg_replace('/\s+/', ' ', trim($words));
		}
	}
	$total = array_sum(array_map(count(...), $groups));
	if ($total !== count(array_unique(links(file_get_contents(MAP))))) {
		throw new Complaint(MAP . ' has a link that is in no group: each paragraph after the first begins with "**Its name:**"');
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
			is_file($page) || throw new Complaint(MAP . " leads to $page, which is not there");
			[$title, $summary] = title_and_summary(file_get_contents($page));
			$text .= '- [' . str_replace('`', '', $title) . '](' . $address($page) . "): $summary\n";
		}
	}
	return $text;
}
