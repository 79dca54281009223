<?php
/* Defaults of the store "mcpatterns". Entries in config/cache.php override them. */
/* SPDX-License-Identifier: MIT */

return [
    'driver' => 'mcpatterns',
    'servers' => env('MCPATTERNS_SERVERS'),     // 'host:port', separated by commas; null: mcpatterns.servers of php.ini
    'grace' => env('MCPATTERNS_GRACE', 0),     // seconds for which remember() may serve a stale value while one process rebuilds it
    'signing_key' => env('MCPATTERNS_SIGNING_KEY'),     // signs values; null: derived from APP_KEY; false: values are not signed
    'log' => env('MCPATTERNS_LOG', true),      // logs failed servers and values that cannot be stored to the application's log
];
