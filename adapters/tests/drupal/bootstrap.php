<?php
/* The common bootstrap, and what Drupal has. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

require __DIR__ . '/../support/bootstrap.php';
require __DIR__ . '/drupal.php';
require __DIR__ . '/DrupalTestCase.php';
