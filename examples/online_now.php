<?php
/* "N people are looking at this now": counts each visitor at each request, and shows the number in the page.
 *
 *     php online_now.php article-42 visitor-1
 *
 * An application needs two lines: one where a request begins, one where the page shows the number. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{OnlineCounter, Pool};

[, $page, $visitor] = $argv;

// Five minutes in slots of one minute: a visitor who leaves is counted for at most six minutes.
// whenDown: a page without the number is better than no page.
$online = new OnlineCounter(Pool::default(), $page, window: 300, slots: 5, whenDown: 0);

$online->hit($visitor);
$people = $online->count(smooth: true);
echo match ($people) {
    0 => '',
    1 => 'You are looking at this.',
    default => "$people people are looking at this now.",
}, "\n";
