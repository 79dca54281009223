<?php
/* Reads docs/redirects.json: where pages and headings have moved to. The plugin mkdocs-redirects makes a page of each moved page, which
 * leads on. A heading that moved leaves its name at the last heading of its page, or of the page that this has become: there are the
 * links to more. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

const REDIRECTS = 'docs/redirects.json';

/** Each place that a redirect leads to must exist. @return array<string, string> "docs/old.md" or "docs/page.md#old-heading" => the place now */
function redirects(): array
{
	static $known = null;
	if ($known !== null) {
		return $known;
	}
	$known = json_decode(file_get_contents(REDIRECTS), true, 2, JSON_THROW_ON_ERROR);
	foreach ($known as $from => $to) {
		[$page, $name] = explode('#', $to, 2) + [1 => ''];
		if (!is_file($page) || $name !== '' && !in_array($name, heading_names(file_get_contents($page)), true)) {
			throw new Complaint(REDIRECTS . ": there is no $to");
		}
		if (is_file($from)) {
			throw new Complaint(REDIRECTS . ": $from exists");
		}
	}
	return $known;
}

/** @return array<string, string> page that no longer exists => its place now */
function moved_pages(): array
{
	return array_filter(redirects(), fn (string $from): bool => !str_contains($from, '#'), ARRAY_FILTER_USE_KEY);
}

/**
 * @param list<string> $headings that the page has
 * @return list<string> other names that its headings had, or those of pages that lead here now
 */
function moved_headings(string $page, array $headings): array
{
	$names = [];
	foreach (array_keys(redirects()) as $from) {
		[$old, $name] = explode('#', $from, 2) + [1 => ''];
		$now = is_file($old) ? $old : redirects()[$old] ?? throw new Complaint(REDIRECTS . ": $old itself leads nowhere");
		if ($name !== '' && strtok($now, '#') === $page) {
			$names[] = $name;
		}
	}
	return array_diff(array_unique($names), $headings);
}
