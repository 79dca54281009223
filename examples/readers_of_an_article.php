<?php
/* Shows how many people have read an article and its section today, and how many are reading the article now.
 *
 *     php readers_of_an_article.php article-42 visitor-1 article-43
 *
 * The first argument is the article that this visitor reads. The other articles of the section follow the visitor. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{OnlineCounter, Pool, UniqueVisitors};

[, $article, $visitor] = $argv;
$others = array_slice($argv, 3);

$pool = Pool::default();

/** Distinct readers of the last 24 hours, in slots of an hour. Without memcached, the number is 0. */
$readers_of = fn (string $name): UniqueVisitors => new UniqueVisitors($pool, $name, window: 86400, slots: 24, whenDown: 0);

// Both objects count the same visitor, because they answer two questions.
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
    exit("\n");                        // the page is shown without the numbers
}
foreach ($numbers as $of => $number) {
    echo $of, $number, "\n";
}
