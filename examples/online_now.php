<?php
/* "N people are looking at this now": a mark of each visitor at each request, and the number in the page.
 *
 *     php online_now.php article-42 visitor-1
 *
 * Two lines of an application: one where a request begins, one where the page shows the number. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{OnlineCounter, Pool};

[, $page, $visitor] = $argv;

// Five minutes in slots of one: who is gone is out of the number at most six minutes later.
// whenDown: a page without its number is better than none.
$online = new OnlineCounter(Pool::default(), $page, window: 300, slots: 5, whenDown: 0);

$online->hit($visitor);
$people = $online->count(smooth: true);
echo match ($people) {
    0 => '',
    1 => 'You are looking at this.',
    default => "$people people are looking at this now.",
}, "\n";
