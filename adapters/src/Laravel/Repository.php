<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

/** What Cache::store('mcpatterns') is: Laravel's repository, but that remember(), flexible(), pull(), add() and funnel() are the extension's own. */
final class Repository extends \Illuminate\Cache\Repository
{
    use Remembers;
}
