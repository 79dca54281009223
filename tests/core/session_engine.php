<?php
/* Asks for three-way merges of random sessions, and reads each back by the engine itself: what it decodes must be what a
 * merge of the decoded arrays is. Called by test_session_reference.c, which merges: a request is the format's number,
 * the depth and three lengths, then the bytes; its answer is a length, or -1 for what cannot be taken apart, the number of
 * conflicts and the bytes. Prints to the standard error what is wrong, and in the end how many were right. */
// SPDX-License-Identifier: MIT
declare(strict_types=1);

const KEYS = ['php' => ['a', '', '!b', "c\0\n", 'd d', 'e"'], 'php_serialize' => ['a', '', 'x|y', 5, -3, '!b']];
const FORMATS = ['php' => 1, 'php_serialize' => 2];

final class P
{
    public mixed $x = null;
    private int $y = 1;
    protected ?P $z = null;

    public function with(mixed $x): P
    {
        $this->x = $x;

        return $this;
    }
}

enum Suit: string
{
    case H = 'h';
    case S = 's';
}

function make(int $depth = 0): mixed
{
    switch (random_int(0, $depth > 2 ? 6 : 12)) {
        case 0:
            return null;
        case 1:
            return (bool) random_int(0, 1);
        case 2:
            return random_int(-9, 99999);
        case 3:
            return [0.1, -1e100, INF, -0.0, NAN][random_int(0, 4)];
        case 4:
            return str_repeat(['|', '!', 'R:2;', 'é', "\0", '"'][random_int(0, 5)], random_int(0, 3));
        case 5:
            return [Suit::H, Suit::S][random_int(0, 1)];
        case 6:
            return 'x';
        case 7:
            return [make($depth + 1), 'k|' => make($depth + 1)];
        case 8:
            return (new P)->with(make($depth + 1));
        case 9:
            $object = new P;
            $object->with($object);

            return [$object, $object, make($depth + 1)];
        case 10:
            $value = make($depth + 1);
            $array = [&$value, 1];
            $array[] = &$value;
            $array['t'] = &$array[0];

            return $array;
        case 11:
            return new ArrayObject([make($depth + 1), new P]);
        default:
            return ['one' => make($depth + 1), 2 => make($depth + 1), 'three' => [make($depth + 1)]];
    }
}

function encode(array $session, string $format): string
{
    if ($format === 'php_serialize') {
        return serialize($session);
    }
    $_SESSION = $session;

    return (string) session_encode();
}

function decode(string $data, string $format): array
{
    if ($format === 'php_serialize') {
        return $data === '' ? [] : unserialize($data);
    }
    $_SESSION = [];
    if ($data !== '' && !session_decode($data)) {
        throw new RuntimeException("does not decode: $data");
    }

    return $_SESSION;
}

/** Makes of a value something that can be compared: its own serialization, or of an array that is merged inside its elements'. */
function canonical(array $session): array
{
    $made = [];
    foreach ($session as $key => $value) {
        $made[gettype($key) . $key] = serialize($value);
    }
    ksort($made);

    return $made;
}

/** Merges what is decoded. */
function expect(array $base, array $mine, array $theirs, int &$conflicts): array
{
    [$base, $mine, $theirs] = [canonical($base), canonical($mine), canonical($theirs)];
    $merged = [];
    foreach ($theirs + $mine as $key => $value) {
        [$b, $m, $t] = [$base[$key] ?? null, $mine[$key] ?? null, $theirs[$key] ?? null];
        $conflicts += $m !== $b && $t !== $b && $t !== $m;
        $stays = $m === $b ? $t : $m;
        if ($stays !== null) {
            $merged[$key] = $stays;
        }
    }
    ksort($merged);

    return $merged;
}

function change(string $data, string $format): string
{
    $session = decode($data, $format);
    foreach (KEYS[$format] as $key) {
        switch (random_int(0, 5)) {
            case 0:
                unset($session[$key]);
                break;
            case 1:
                unset($session[$key]);
                $session[$key] = make();
        }
    }

    return encode($session, $format);
}

function read_bytes(int $length): string
{
    $bytes = '';
    while (strlen($bytes) < $length) {
        $more = fread(STDIN, $length - strlen($bytes));
        if ($more === false || $more === '') {
            exit(2);
        }
        $bytes .= $more;
    }

    return $bytes;
}

/** Has three merged: the merged data and its conflicts; null: they cannot be taken apart. */
function merge(string $format, int $depth, string $base, string $mine, string $theirs): ?array
{
    fwrite(STDOUT, pack('V5', FORMATS[$format], $depth, strlen($base), strlen($mine), strlen($theirs)) . $base . $mine . $theirs);
    fflush(STDOUT);
    ['length' => $length, 'conflicts' => $conflicts] = unpack('llength/lconflicts', read_bytes(8));

    return $length < 0 ? null : [read_bytes($length), $conflicts];
}

function complain(string $what, array $texts): never
{
    fwrite(STDERR, "$what\n");
    foreach ($texts as $name => $text) {
        fwrite(STDERR, "$name: " . addcslashes($text, "\0..\37\177..\377") . "\n");
    }
    exit(1);
}

/** One merge of whole keys: false if it could not be taken apart. */
function try_one(string $format): bool
{
    $session = [];
    foreach (KEYS[$format] as $key) {
        if (random_int(0, 1)) {
            $session[$key] = make();
        }
    }
    $base = encode($session, $format);
    [$mine, $theirs] = [change($base, $format), change($base, $format)];
    $merged = merge($format, 1, $base, $mine, $theirs);
    if ($merged === null) {
        return false;
    }
    [$data, $conflicts] = $merged;
    $texts = compact('format', 'base', 'mine', 'theirs', 'data');
    $expected_conflicts = 0;
    $expected = expect(decode($base, $format), decode($mine, $format), decode($theirs, $format), $expected_conflicts);
    if (canonical(decode($data, $format)) !== $expected) {
        complain('decoded, it is something else', $texts);
    }
    if ($conflicts !== $expected_conflicts) {
        complain("$conflicts conflicts, and not $expected_conflicts", $texts);
    }
    if (!str_contains($data, 'E:') && encode(decode($data, $format), $format) !== $data) {
        complain('the engine does not write it so', $texts);
    }

    return true;
}

/** One merge inside of arrays: what is merged must be what the engine would read, and each leaf one of the three's. */
function try_inside(string $format): bool
{
    $key = KEYS[$format][0];
    $leaves = static fn (int $of): array => array_combine(array_map(static fn (int $i): string => "k$i", range(0, $of)),
        array_map(static fn (): mixed => make(2), range(0, $of)));
    $session = [$key => $leaves(3), 'other' => make()];
    $base = encode($session, $format);
    $vary = static function () use ($base, $format, $key): array {
        $changed = decode($base, $format);
        foreach (range(0, 5) as $i) {
            $which = random_int(0, 3);
            if ($which === 0) {
                unset($changed[$key]["k$i"]);
            } elseif ($which === 1) {
                $changed[$key]["k$i"] = make(2);
            }
        }

        return $changed;
    };
    [$mine, $theirs] = [$vary(), $vary()];
    $merged = merge($format, 2, $base, encode($mine, $format), encode($theirs, $format));
    if ($merged === null) {
        return false;
    }
    $base_of_key = decode($base, $format)[$key];
    [$b, $m, $t] = array_map(static fn (array $of): string => serialize($of), [$base_of_key, $mine[$key], $theirs[$key]]);
    if ($b === $m || $b === $t || $m === $t) {
        return true;
    }
    $conflicts = 0;
    $expected = expect($base_of_key, $mine[$key], $theirs[$key], $conflicts);
    [$data, $counted] = $merged;
    $found = canonical(decode($data, $format)[$key]);
    if ($found === $expected && $counted === $conflicts) {
        $GLOBALS['inside']++;

        return true;
    }
    /* PHP writes "R:" to a case that another element has: then the array stays one value. */
    if ($found === canonical($mine[$key]) && $counted === 1) {
        $GLOBALS['whole']++;

        return true;
    }
    complain('merged inside, it is something else', compact('format', 'base', 'data') + ['mine' => encode($mine, $format),
        'theirs' => encode($theirs, $format)]);
}

ini_set('session.use_cookies', '0');
ini_set('session.cache_limiter', '');
ini_set('session.save_path', sys_get_temp_dir());
ini_set('session.gc_probability', '0');
ini_set('session.save_handler', 'files');
$wanted = (int) $argv[1];
$merged = $refused = $inside = $whole = 0;
foreach (FORMATS as $format => $number) {
    ini_set('session.serialize_handler', $format);
    session_id('reference' . getmypid());
    session_start();
    for ($run = 0; $run < $wanted; $run++) {
        $is_merged = $run % 5 === 4 ? try_inside($format) : try_one($format);
        $merged += $is_merged;
        $refused += !$is_merged;
    }
    session_destroy();
}
fwrite(STDERR, "$merged merged, $refused not taken apart; $inside of them inside, $whole as one value\n");
exit($merged > 1.5 * $wanted && $inside > $wanted / 10 && $whole < $inside / 4 ? 0 : 3);
