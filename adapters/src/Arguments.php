<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use InvalidArgumentException;
use ReflectionClass;
use ReflectionMethod;
use ReflectionNamedType;
use ReflectionParameter;
use UnitEnum;

/** Constructor arguments from a configuration with names in snake case. */
final class Arguments
{
    /** @param string $whose begins the messages, as "The cache store's setting" */
    public function __construct(private readonly string $whose)
    {
    }

    /**
     * Without what is null.
     *
     * @param array<array-key, mixed> $config
     * @param list<string> $decided parameters that no configuration may give
     * @param class-string ...$classes
     * @return array<string, mixed> by parameter
     */
    public function of(array $config, array $decided, string ...$classes): array
    {
        $known = array_merge(...array_map(self::parametersOf(...), $classes));
        $given = [];
        foreach ($config as $name => $value) {
            if ($value === null) {
                continue;
            }
            $parameter = lcfirst(str_replace('_', '', ucwords((string) $name, '_')));
            if (!isset($known[$parameter]) || in_array($parameter, $decided, true)) {
                throw new InvalidArgumentException("$this->whose '$name' is unknown to mcpatterns.");
            }
            $given[$parameter] = $this->chosen((string) $name, $value, $known[$parameter]);
        }
        return $given;
    }

    /**
     * Of those of $given that it has.
     *
     * @template T of object
     * @param class-string<T> $class
     * @param array<string, mixed> $given
     * @return T
     */
    public static function make(string $class, array $given): object
    {
        return (new ReflectionClass($class))->newInstanceArgs(array_intersect_key($given, self::parametersOf($class)));
    }

    /** A Pool's prefix for a longer one that a framework makes: a Pool accepts at most 64 bytes. */
    public static function prefix(string $prefix): string
    {
        return strlen($prefix) > 64 ? hash('sha256', $prefix) : $prefix;
    }

    /**
     * @param class-string $class
     * @return array<string, ReflectionParameter> by name
     */
    private static function parametersOf(string $class): array
    {
        return array_column((new ReflectionMethod($class, '__construct'))->getParameters(), null, 'name');
    }

    /** Returns an enum case for its name, in upper or lower case. Returns other values unchanged. */
    private function chosen(string $name, mixed $value, ReflectionParameter $parameter): mixed
    {
        $type = $parameter->getType();
        $enum = $type instanceof ReflectionNamedType ? $type->getName() : '';
        if (!is_string($value) || !is_a($enum, UnitEnum::class, true)) {
            return $value;
        }
        $names = array_column($enum::cases(), null, 'name');
        return array_change_key_case($names)[strtolower($value)]
            ?? throw new InvalidArgumentException("$this->whose '$name' must be one of " . implode(', ', array_keys($names)) . ", '$value' given.");
    }
}
