<?php
/* Readers of an article today and of its section, beside how many are reading it now.
 *
 *     php readers_of_an_article.php article-42 visitor-1 article-43
 *
 * The first is the article that this visitor reads; the others of the section follow. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{OnlineCounter, Pool, UniqueVisitors};

[, $article, $visitor] = $argv;
$others = array_slice($argv, 3);

$pool = Pool::default();

/** The last 24 hours by the hour: different readers, however often each comes; without memcached none. */
$readers_of = fn (string $name): UniqueVisitors => new UniqueVisitors($pool, $name, window: 86400, slots: 24, whenDown: 0);

// The same visitor for both: two questions.
$today = $readers_of($article);
$today->hit($visitor);
$now = new OnlineCounter($pool, $article, window: 300, slots: 5, whenDown: 0);
$now->hit($visitor);

$numbers = [
    'reading now: ' => $now->count(smooth: true),
    'in 24 hours: ' => $today->count(),
    'the section: ' => $today->count(...array_map($readers_of, $others)),
];
if ($numbers['in 24 hours: '] === 0) {
    exit("\n");                        // the page is shown, without its numbers
}
foreach ($numbers as $of => $number) {
    echo $of, $number, "\n";
}
