<?php
/* Defaults of the entries under "mcpatterns" in config/session.php. */
/* SPDX-License-Identifier: MIT */

return [
    'locking' => env('MCPATTERNS_SESSION_LOCKING', 'lock'),     // lock, merge or none: docs/classes/sessions.md
    'merge_depth' => 2,                                         // Laravel's flash data is two arrays under one key
];
