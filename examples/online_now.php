<?php
/* "N people are looking at this now": a mark of each visitor at each request, and the number in the page.
 *
 *     php online_now.php article-42 visitor-1
 *
 * Two lines of an application: one where a request begins, one where the page shows the number. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{OnlineCounter, Pool, ServerException};

[, $page, $visitor] = $argv;

// Five minutes in slots of one: who is gone is out of the number at most six minutes later.
$online = new OnlineCounter(Pool::default(), $page, window: 300, slots: 5);

try {
    $online->hit($visitor);
    $people = $online->count(smooth: true);
    echo $people === 1 ? 'You are looking at this.' : "$people people are looking at this now.", "\n";
} catch (ServerException) {
    // A page without its number is better than a page with a wrong one, and than none.
    echo "\n";
}
