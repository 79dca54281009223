<?php
/* The common bootstrap, and what object-cache.php finds when WordPress loads it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

require __DIR__ . '/../support/bootstrap.php';
require __DIR__ . '/wordpress.php';
require __DIR__ . '/../../wordpress/object-cache.php';
require __DIR__ . '/WordPressTestCase.php';
