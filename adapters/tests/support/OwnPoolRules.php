<?php
/* What the pools of this package keep beyond PSR-6, and Symfony's own decorators over them do not all. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\Support;

trait OwnPoolRules
{
	use PoolRules;

	public function testDefersTheItemAsItWasThen(): void
	{
		$item = $this->items->getItem('key')->set('then');
		$this->items->saveDeferred($item);
		$item->set('later');
		$this->items->commit();
		self::assertSame('then', $this->items->getItem('key')->get());
		$this->items->saveDeferred($item->set('first'));
		$this->items->saveDeferred($item->set('second'));
		$this->items->commit();
		self::assertSame('second', $this->items->getItem('key')->get());
	}

	public function testDeletesAlsoWhatIsDeferred(): void
	{
		$this->items->save($this->items->getItem('saved')->set(1));
		$this->items->saveDeferred($this->items->getItem('deferred')->set(1));
		self::assertTrue($this->items->deleteItems(['saved', 'deferred', 'never there']));
		self::assertTrue($this->items->deleteItem('saved'));
		self::assertTrue($this->items->commit());
		self::assertFalse($this->anotherPool()->hasItem('saved') || $this->anotherPool()->hasItem('deferred'));
	}

	public function testTakesTheLongestTtlForAnEndFurtherAway(): void
	{
		$this->items->save($this->items->getItem('seconds')->set(1)->expiresAfter(PHP_INT_MAX));
		$this->items->save($this->items->getItem('of the size of a date')->set(1)->expiresAfter(1_800_000_000));
		$this->items->saveDeferred($this->items->getItem('date')->set(1)->expiresAt(new \DateTimeImmutable('9999-12-31')));
		self::assertTrue($this->items->commit());
		self::assertTrue($this->items->hasItem('seconds') && $this->items->hasItem('date') && $this->items->hasItem('of the size of a date'));
	}
}
