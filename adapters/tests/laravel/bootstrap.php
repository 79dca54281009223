<?php
/* The common bootstrap, and what is Laravel's own. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

require __DIR__ . '/../support/bootstrap.php';
require __DIR__ . '/stand-ins.php';
require __DIR__ . '/LaravelTestCase.php';
