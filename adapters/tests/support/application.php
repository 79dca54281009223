<?php
/* What the application of the pages' examples would define. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

require_once __DIR__ . '/../../../tests/_support/examples.inc';

/** @return list<string> */
function load_news(): array
{
	return ['headline'];
}

function write_report(): string
{
	$GLOBALS['reports'] = ($GLOBALS['reports'] ?? 0) + 1;
	return 'written';
}

/** @return list<string> */
function query_posts_of_the_front_page(): array
{
	return ['post'];
}

/** @return list<string> the blocks of a page in docs */
function blocks_of(string $page, string $kind, string $section = ''): array
{
	return examples_of(__DIR__ . "/../../../docs/$page.md", $kind, $section);
}
