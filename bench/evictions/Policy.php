<?php
/* A memory of so many values, of which one goes when another comes. SPDX-License-Identifier: MIT */
declare(strict_types=1);

interface Policy
{
    public function has(int $key): bool;

    /** Asks for a key: true if its value is there; if not, it is put there, unless the policy does not admit it. */
    public function ask(int $key): bool;
}
