<?php
/* The common bootstrap, and MediaWiki's classes. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

require __DIR__ . '/mediawiki.php';
require __DIR__ . '/MediaWikiTestCase.php';
