<?php
/* SPDX-License-Identifier: MIT */

use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Route;

/** A slow query. It counts itself, so that one can see how often it runs. */
$load = function (string $page): array {
    usleep(100_000);
    return ['loaded' => Cache::increment("loads of $page"), 'headlines' => ['Man bites dog', 'Dog bites back']];
};

Route::get('/remember', fn () => Cache::remember('headlines', 1, fn () => $load('remember')));

Route::get('/flexible', fn () => Cache::flexible('flexible headlines', [1, 60], fn () => $load('flexible')));

Route::get('/naive', function () use ($load) {
    $headlines = Cache::get('naive headlines');
    if ($headlines === null) {
        Cache::put('naive headlines', $headlines = $load('naive'), 1);      // every worker that finds nothing comes by here
    }
    return $headlines;
});

Route::get('/loads/{page}', fn (string $page) => Cache::get("loads of $page", 0));
