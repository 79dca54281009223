<?php
/* Defaults of the store "mcpatterns". Entries in config/cache.php override them. */
/* SPDX-License-Identifier: MIT */

return [
    'driver' => 'mcpatterns',
    'servers' => env('MCPATTERNS_SERVERS'),     // 'host:port', several with commas between; null: mcpatterns.servers of php.ini
    'lock_servers' => env('MCPATTERNS_LOCK_SERVERS'),     // of locks, which cache:clear --locks empties; null: those of 'servers'
    'grace' => env('MCPATTERNS_GRACE', 0),     // seconds for which remember() may serve an old value while one process rebuilds it
    'signing_key' => env('MCPATTERNS_SIGNING_KEY'),     // signs values; null: made of APP_KEY; false: values are not signed
    'log' => env('MCPATTERNS_LOG', true),      // servers that fail and values that cannot be stored, to the application's log
];
