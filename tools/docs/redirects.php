<?php
/* Reads docs/redirects.json: where pages and headings have moved to. A moved page becomes a page that leads on, its headings, too; a
 * heading that moved away from a page leaves its name at the last heading of that page, where the links to more are. */
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

/**
 * Each place that any redirect leads to must exist, and a heading of a page that no longer exists needs a redirect of the page.
 *
 * @return array<string, array<string, string>> page that no longer exists => name of a heading, or '' for the page => its place now
 */
function moved_pages(): array
{
	$pages = [];
	foreach (redirects() as $from => $to) {
		[$page, $name] = explode('#', $to, 2) + [1 => ''];
		if (!is_file($page) || $name !== '' && !in_array($name, heading_names(file_get_contents($page)), true)) {
			throw new Complaint(REDIRECTS . ": there is no $to");
		}
		[$old, $heading] = explode('#', $from, 2) + [1 => ''];
		if (is_file($old) && $heading === '') {
			throw new Complaint(REDIRECTS . ": $from exists");
		}
		if (!is_file($old)) {
			$pages[$old][$heading] = $to;
		}
	}
	foreach ($pages as $old => $places) {
		isset($places['']) || throw new Complaint(REDIRECTS . ": $old itself leads nowhere");
	}
	return $pages;
}

/** The file of the site that shows a page, relative to another page. */
function site_link(string $from, string $to): string
{
	[$page, $name] = explode('#', $to, 2) + [1 => ''];
	return preg_replace(['~(^|/)README\.md$~', '~\.md$~'], ['$1index.html', '.html'], relative_link($from, $page)) . ($name === '' ? '' : "#$name");
}

/**
 * The HTML page that stays at the address of a moved page. It leads each heading to its own place.
 *
 * @param array<string, string> $places as moved_pages() has them
 */
function redirect_page(string $old, array $places): string
{
	$links = array_map(fn (string $to): string => site_link($old, $to), $places);
	$page = htmlspecialchars($links['']);
	$list = implode("\n", array_map(fn (string $link): string => '<li><a href="' . htmlspecialchars($link) . '">' . htmlspecialchars($link) . '</a></li>', array_unique($links)));
	$known = json_encode((object) $links, JSON_UNESCAPED_SLASHES | JSON_HEX_TAG | JSON_THROW_ON_ERROR);
	return <<<HTML
		<!doctype html>
		<html lang="en">
		<head>
		<meta charset="utf-8">
		<title>Moved</title>
		<link rel="canonical" href="$page">
		<meta name="robots" content="noindex">
		<script>const places = $known, heading = location.hash.slice(1); location.replace(places[heading] || places[''] + location.hash)</script>
		<meta http-equiv="refresh" content="0; url=$page">
		</head>
		<body>
		<ul>
		$list
		</ul>
		</body>
		</html>

		HTML;
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
