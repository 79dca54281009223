<?php
/* Counts its views, and caches a text that takes 200 ms to make. SPDX-License-Identifier: MIT */

use McPatterns\{Cache, Counter, Pool};

$views = (new Counter(Pool::default(), 'views', whenDown: 0))->increment();
$text = (new Cache(Pool::default()))->remember('text', 10, function (): string {
    usleep(200_000);
    return 'made at ' . date('H:i:s') . ' by process ' . getmypid();
});

header('Content-Type: text/plain');
echo "view $views, text $text\n";
