<?php
/* Reads docs/redirects.json: where pages and headings have moved to. A moved page becomes a page that leads on; a moved heading
 * leaves its name at the last heading of its page, where the links to more are. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

const REDIRECTS = 'docs/redirects.json';

/** @return array<string, string> "docs/old.md" or "docs/page.md#old-heading" => the place now */
function redirects(): array
{
	static $known = null;
	return $known ??= json_decode(file_get_contents(REDIRECTS), true, 2, JSON_THROW_ON_ERROR);
}

/** @return array<string, string> of whole pages alone. Each place that any redirect leads to must exist. */
function moved_pages(): array
{
	foreach (redirects() as $from => $to) {
		[$page, $name] = explode('#', $to, 2) + [1 => ''];
		if (!is_file($page) || $name !== '' && !in_array($name, heading_names(file_get_contents($page)), true)) {
			throw new Complaint(REDIRECTS . ": there is no $to");
		}
		if (is_file(explode('#', $from)[0]) !== str_contains($from, '#')) {
			throw new Complaint(REDIRECTS . ": $from is there still, or its page is not");
		}
	}
	return array_filter(redirects(), fn (string $from): bool => !str_contains($from, '#'), ARRAY_FILTER_USE_KEY);
}

/** @return list<string> the names that headings of this page had */
function moved_headings(string $page): array
{
	$names = [];
	foreach (array_keys(redirects()) as $from) {
		if (str_starts_with($from, "$page#")) {
			$names[] = substr($from, strlen("$page#"));
		}
	}
	return $names;
}
