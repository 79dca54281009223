<?php
/* Requests of the shapes that public traces have. Keys are from 1 on; each request comes from the seed alone. SPDX-License-Identifier: MIT */
declare(strict_types=1);

/** Draws from 0 to $keys - 1, the smaller ones more often: the n-th as 1 / n^$skew. */
final class Zipf
{
    /** @var list<float> */
    private array $sums = [];

    public function __construct(int $keys, float $skew)
    {
        $sum = 0.0;
        for ($i = 1; $i <= $keys; $i++) {
            $this->sums[] = $sum += $i ** -$skew;
        }
    }

    public function draw(): int
    {
        $wanted = mt_rand() / mt_getrandmax() * end($this->sums);
        [$low, $high] = [0, count($this->sums) - 1];
        while ($low < $high) {
            $middle = intdiv($low + $high, 2);
            [$low, $high] = $this->sums[$middle] < $wanted ? [$middle + 1, $high] : [$low, $middle];
        }
        return $low;
    }
}

/** @return list<int> a web cache's: some pages are wanted much more often than others */
function popular(int $requests, int $keys): array
{
    $zipf = new Zipf($keys, 1.0);
    return array_map(fn() => 1 + $zipf->draw(), range(1, $requests));
}

/** @return list<int> the same, and every now and then a crawler that asks for pages which nobody asks for again */
function crawled(int $requests, int $keys): array
{
    $zipf = new Zipf($keys, 1.0);
    $asked = [];
    for ($next = $keys + 1; count($asked) < $requests;) {
        for ($i = 0; $i < 3000; $i++) {
            $asked[] = 1 + $zipf->draw();
        }
        for ($i = 0; $i < 2000; $i++) {
            $asked[] = $next++;
        }
    }
    return array_slice($asked, 0, $requests);
}

/** @return list<int> a news site's: what is popular changes, a hundredth of the keys every thousand requests */
function shifting(int $requests, int $keys): array
{
    $zipf = new Zipf($keys, 1.0);
    $asked = [];
    for ($i = 0; $i < $requests; $i++) {
        $asked[] = 1 + ($zipf->draw() + intdiv($i, 1000) * intdiv($keys, 100)) % $keys;
    }
    return $asked;
}

/** @return list<int> a report that goes over the same rows again and again, beside what is popular */
function looping(int $requests, int $keys): array
{
    $zipf = new Zipf($keys, 1.0);
    $asked = [];
    for ($i = 0; $i < $requests; $i++) {
        $asked[] = $i % 2 === 0 ? 1 + $zipf->draw() : $keys + 1 + intdiv($i, 2) % intdiv($keys, 5);
    }
    return $asked;
}
