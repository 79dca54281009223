<?php
/* Reads docs/redirects.json: where pages and headings have moved to. The plugin mkdocs-redirects makes a page of each moved page, which
 * leads on. A heading that moved leaves its name on its page, or on the page that this has become. The name is at the heading that took
 * its place, or at the last one, where the links to more are. */
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
 * Other names that the headings of a page had, or those of pages that lead here now.
 *
 * @param list<string> $headings of the page
 * @return array<string, array<string, string>> heading that took the place, or '' if that is on another page => name => its mark
 */
function moved_headings(string $page, array $headings): array
{
	$marks = [];
	foreach (redirects() as $from => $to) {
		[$old, $name] = explode('#', $from, 2) + [1 => ''];
		[$place, $heading] = explode('#', $to, 2) + [1 => ''];
		$now = is_file($old) ? $old : redirects()[$old] ?? throw new Complaint(REDIRECTS . ": $old itself leads nowhere");
		if ($name !== '' && strtok($now, '#') === $page && !in_array($name, $headings, true)) {
			$marks[$place === $page ? $heading : ''][$name] = "<span id=\"$name\"></span>";
		}
	}
	return $marks;
}
