<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

return ['database' => env('SITE_DATABASE'), 'journal' => env('SITE_JOURNAL')];
