--TEST--
Key::of() returns 128 bits of SHA-256 of the documented form
--EXTENSIONS--
mcpatterns
--FILE--
<?php
namespace Shop;

use McPatterns\Key;

enum Size { case Small; }
final class Filter implements \JsonSerializable
{
    public function jsonSerialize(): mixed { return ['max' => 5]; }
}
final class Name
{
    public function __toString(): string { return 'x'; }
}

function expect(string $form, mixed ...$parts): void
{
    $key = Key::of('user profile', ...$parts);
    echo $key === 'user profile:' . substr(hash('sha256', $form), 0, 32) ? 'ok' : "not $form", "\n";
}

expect('');
expect('N', null);
expect('FT', false, true);
expect('i0;i-42;', 0, -42);
expect('d' . pack('E', 1.5), 1.5);
expect('d' . pack('E', 0.0), -0.0);
expect("d\x7F\xF8\0\0\0\0\0\0", NAN);
expect("s0:s3:a\0b", '', "a\0b");
expect('l0:l2:i1;l1:N', [], [1, [null]]);
expect('m4:i-1;Ni7;Ns1:aNs2:aaN', ['aa' => null, 7 => null, 'a' => null, -1 => null]);
expect('e9:Shop\Sizes5:Small', Size::Small);
expect('D28:1711843200.123456 Asia/Tokyo', new \DateTime('2024-03-31T09:00:00.123456', new \DateTimeZone('Asia/Tokyo')));
expect('D16:-2.500000 +02:00', (new \DateTimeImmutable('@-2'))->modify('+500000 usec')->setTimezone(new \DateTimeZone('+02:00')));
expect('j11:Shop\Filterm1:s3:maxi5;', new Filter());
expect('t9:Shop\Names1:x', new Name());
expect('t20:Stringable@anonymouss1:y', new class implements \Stringable { public function __toString(): string { return 'y'; } });
?>
--EXPECT--
ok
ok
ok
ok
ok
ok
ok
ok
ok
ok
ok
ok
ok
ok
ok
ok
