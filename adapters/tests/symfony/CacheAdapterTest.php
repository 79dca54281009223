<?php
/* Symfony's cache without tags. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Symfony;

use McPatterns\Adapters\Symfony\CacheAdapter;
use McPatterns\Adapters\Tests\Support\{AdapterRules, MemcachedTestCase};
use Symfony\Component\Cache\Exception\LogicException;

final class CacheAdapterTest extends MemcachedTestCase
{
	use AdapterRules;

	protected static function adapter(): string
	{
		return CacheAdapter::class;
	}

	public function testRefusesTags(): void
	{
		$this->expectException(LogicException::class);
		$this->items->getItem('key')->tag('tag');
	}
}
