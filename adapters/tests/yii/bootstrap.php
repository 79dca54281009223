<?php
/* The common bootstrap, and Yii's class of that name, which no autoloader finds. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

require __DIR__ . '/../support/bootstrap.php';

require_once dirname((string) (new ReflectionClass(yii\base\Configurable::class))->getFileName(), 2) . '/Yii.php';
