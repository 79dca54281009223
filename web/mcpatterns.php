<?php
/* The dashboard: what the caches, locks, sessions and servers of this host do, live. Copy this one file to where the web server
 * serves PHP from, and open it. It asks no other host for anything and changes nothing.
 *
 * With a password in the environment variable MCPATTERNS_DASHBOARD_PASSWORD it is shown to who gives that, by HTTP's basic
 * authentication with any user name, and to nobody else. Without one it is shown to nobody, unless MCPATTERNS_DASHBOARD_LOCAL
 * is 1: then to local requests, from a loopback address, to a loopback name, forwarded by nobody. A proxy on this host that
 * does not say that it forwards makes every visitor local: never set that there. ?format=json is the same for scripts,
 * with &history=1 and Metrics::history().
 *
 * MCPATTERNS_DASHBOARD_SERVERS: the memcacheds to ask for their own figures, comma-separated; without it those of PHP's
 * setting mcpatterns.servers that this host's processes have used. No other is asked, whoever used it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Dashboard;

use McPatterns\Metrics;
use McPatterns\Pool;
use McPatterns\Transport;

const PASSWORD = 'MCPATTERNS_DASHBOARD_PASSWORD';
const LOCAL = 'MCPATTERNS_DASHBOARD_LOCAL';
const SERVERS = 'MCPATTERNS_DASHBOARD_SERVERS';
/** Events of the trace in one answer. */
const TRACE = 400;
/** What memcached tells that is of use here; the rest of its statistics stays with it. */
const FIGURES = ['version', 'uptime', 'pid', 'threads', 'curr_items', 'bytes', 'limit_maxbytes', 'evictions', 'reclaimed',
	'curr_connections', 'max_connections', 'rejected_connections', 'listen_disabled_num', 'cmd_get', 'get_hits', 'cmd_set'];

/** A setting of the environment; '' counts as none. */
function setting(string $name): ?string
{
	// Apache's SetEnv is in $_SERVER alone. A client's headers all begin with HTTP_ there.
	$value = getenv($name);
	$value = $value === false ? $_SERVER[$name] ?? '' : $value;
	return is_string($value) && $value !== '' ? $value : null;
}

function is_loopback(string $address): bool
{
	$address = (string) preg_replace('/^::ffff:(?=\d+\.)/i', '', $address);
	return $address === '::1' || preg_match('/^127(\.\d{1,3}){3}$/', $address) === 1;
}

/** A web page of another site, whose name was made to lead here, names itself in Host. */
function is_loopback_name(string $host): bool
{
	$host = strtolower((string) preg_replace('/:\d+$/', '', $host));
	return $host === 'localhost' || str_ends_with($host, '.localhost') || is_loopback(trim($host, '[]'));
}

/** What the server says of the request, where it is text.
 * @param array<mixed> $server */
function said(array $server, string $name): ?string
{
	$text = $server[$name] ?? null;
	return is_scalar($text) ? (string) $text : null;
}

/** Any header by which proxies tell that they pass somebody else's request on.
 * @param array<mixed> $server */
function is_forwarded(array $server): bool
{
	foreach (array_keys($server) as $name) {
		if (preg_match('/^HTTP_(VIA|.*FORWARDED.*|.*REAL_IP|.*CLIENT_IP|CF_.*|.*CONNECTING_IP|X_ORIGINAL_.*|X_ENVOY_.*|X_AMZN_.*)$/', (string) $name)) {
			return true;
		}
	}
	return false;
}

/** @param array<mixed> $server */
function is_local(array $server): bool
{
	return is_loopback(said($server, 'REMOTE_ADDR') ?? '')
		&& (!isset($server['HTTP_HOST']) || is_loopback_name(said($server, 'HTTP_HOST') ?? ''))
		&& !is_forwarded($server);
}

/** What the client gave by basic authentication.
 * @param array<mixed> $server */
function given_password(array $server): ?string
{
	if (isset($server['PHP_AUTH_PW'])) {
		return said($server, 'PHP_AUTH_PW');
	}
	$header = said($server, 'HTTP_AUTHORIZATION') ?? said($server, 'REDIRECT_HTTP_AUTHORIZATION') ?? '';
	if (!preg_match('/^Basic +([A-Za-z0-9+\/=]+)$/i', $header, $found)) {
		return null;
	}
	$pair = explode(':', (string) base64_decode($found[1]), 2);
	return $pair[1] ?? null;
}

/** Hashes of equal length: how long it takes tells nothing, not even the password's length. */
function is_password(?string $given, ?string $wanted): bool
{
	return $given !== null && $wanted !== null && hash_equals(hash('sha256', $wanted), hash('sha256', $given));
}

/** The answer for who may not see the page, or null for who may.
 * @param array<mixed> $server
 * @return ?array{int, list<string>, string} */
function refusal(array $server): ?array
{
	$wanted = setting(PASSWORD);
	// A password is asked of local requests, too: a proxy beside this server may have passed them on without a word of it.
	if ($wanted !== null) {
		return is_password(given_password($server), $wanted) ? null
			: [401, ['WWW-Authenticate: Basic realm="mcpatterns", charset="UTF-8"'], "A password is wanted.\n"];
	}
	if (setting(LOCAL) !== '1') {
		return [403, [], "Closed. Set a password in " . PASSWORD . ", or " . LOCAL . "=1 where no proxy passes others' requests on.\n"];
	}
	return is_local($server) ? null : [403, [], "Not shown to other hosts. Open it on the machine itself, as http://127.0.0.1/..., or set " . PASSWORD . ".\n"];
}

/** Bytes as text that can be read: what is no UTF-8, or would not show or turn the text around, as \x and \u. */
function readable(string $bytes): string
{
	if (!preg_match('//u', $bytes)) {
		return (string) preg_replace_callback('/[^\x20-\x7e]/', fn (array $byte): string => sprintf('\x%02x', ord($byte[0])), $bytes);
	}
	$spell = fn (array $found): string => trim((string) json_encode($found[0]), '"');
	return (string) preg_replace_callback('/[\p{C}\p{Zl}\p{Zp}]/u', $spell, $bytes);
}

function readable_all(mixed $value): mixed
{
	if (is_array($value)) {
		return array_map(readable_all(...), $value);
	}
	return is_string($value) ? readable($value) : $value;
}

/** The name that the figures have for a server; what names none is shown without what may be a password. */
function name(string $server): string
{
	try {
		['host' => $host, 'port' => $port] = (new Pool([$server], transport: Transport::Direct))->servers()[0];
	} catch (\Throwable) {
		return (string) preg_replace('/^.*@/s', '', $server);
	}
	return $port === 0 ? $host : (str_contains($host, ':') ? "[$host]:$port" : "$host:$port");
}

/** The memcacheds to ask: some of those that are configured. The figures alone are no reason to connect anywhere: whoever
 * shares their memory can write any address into it.
 * @param array{servers: list<array{server: string, ...}>, ...} $metrics
 * @return array<string, string> name => address, with "tls://" and a password where it has them */
function addresses(array $metrics): array
{
	$chosen = setting(SERVERS);
	$given = array_map(trim(...), explode(',', $chosen ?? ini('servers')));
	$named = array_combine(array_map(name(...), $given), $given);
	return $chosen !== null ? $named : array_intersect_key($named, array_flip(array_column($metrics['servers'], 'server')));
}

function ini(string $name): string
{
	return (string) ini_get("mcpatterns.$name");
}

/** The settings' certificates and so on, as a Pool takes them.
 * @return array<string, bool|int|string> */
function tls(): array
{
	$tls = ['crypto_method' => 0];
	foreach (['cafile', 'capath', 'peer_name', 'peer_fingerprint', 'local_cert', 'local_pk', 'passphrase', 'ciphers'] as $option) {
		$tls[$option] = ini("tls_$option");
	}
	foreach (['TLSv1.2' => STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT, 'TLSv1.3' => STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT] as $version => $method) {
		$tls['crypto_method'] |= stripos(ini('tls_crypto_method'), $version) === false ? 0 : $method;
	}
	$tls = array_filter($tls);
	foreach (['verify_peer', 'verify_peer_name', 'allow_self_signed'] as $option) {
		$tls[$option] = filter_var(ini("tls_$option"), FILTER_VALIDATE_BOOL);
	}
	return $tls;
}

/** A Pool of the server at this address, with the settings' certificates, and the settings' password unless it has its own. */
function pool(string $address): Pool
{
	$has_tls = str_contains($address, 'tls://');
	$has_secret = ini('password') !== '' && !str_contains($address, '@');
	// A handshake is two round trips, and computes.
	return new Pool([$address], connectTimeout: $has_tls ? 0.5 : 0.1, timeout: 0.2, transport: Transport::Direct, tls: $has_tls ? tls() : [],
		user: $has_secret ? ini('user') : null, password: $has_secret ? ini('password') : null);
}

/** Each server's own figures; without any where it does not answer.
 * @param array{servers: list<array{server: string, ...}>, ...} $metrics
 * @return list<array{server: string, error: mixed, stats: ?array<mixed>}> */
function memcacheds(array $metrics): array
{
	$found = [];
	foreach (addresses($metrics) as $name => $address) {
		try {
			$pool = pool($address);
			$stats = current($pool->stats());
			$error = current($pool->lastErrors());
		} catch (\Throwable $failure) {
			[$stats, $error] = [null, ['message' => $failure->getMessage()]];
		}
		$found[] = ['server' => (string) $name, 'error' => is_array($stats) ? null : $error['message'] ?? 'it does not answer',
			'stats' => is_array($stats) ? array_map(number(...), array_intersect_key($stats, array_flip(FIGURES))) : null];
	}
	return $found;
}

function number(mixed $text): mixed
{
	return is_numeric($text) ? $text + 0 : $text;
}

/** Everything that the page shows. Of the past only who asks for it: a page that has looked before has seen it. */
function look(bool $is_of_the_past): mixed
{
	$metrics = Metrics::read();
	$look = ['host' => (string) gethostname(), 'version' => (string) phpversion('mcpatterns'), 'legend' => Metrics::legend(), 'metrics' => $metrics,
		'memcached' => memcacheds($metrics), 'trace' => $metrics['enabled'] ? Metrics::trace(null, TRACE) : []];
	return readable_all($look + ($is_of_the_past ? ['history' => Metrics::history()] : []));
}

/** Such that it can stand in a page, whatever is in it. */
function json(mixed $value): string
{
	return (string) json_encode($value, JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR
		| JSON_HEX_TAG | JSON_HEX_AMP | JSON_HEX_APOS | JSON_HEX_QUOT);
}

/** @param list<string> $headers */
function send(int $status, string $type, array $headers, string $body): void
{
	http_response_code($status);
	foreach ([...$headers, "Content-Type: $type; charset=utf-8", 'Cache-Control: no-store', 'X-Content-Type-Options: nosniff',
		'Referrer-Policy: no-referrer', 'Cross-Origin-Resource-Policy: same-origin', 'X-Robots-Tag: noindex'] as $header) {
		header($header);
	}
	if (($_SERVER['REQUEST_METHOD'] ?? 'GET') !== 'HEAD') {
		echo $body;
	}
}

function main(): void
{
	if (!in_array($_SERVER['REQUEST_METHOD'] ?? 'GET', ['GET', 'HEAD'], true)) {
		send(405, 'text/plain', ['Allow: GET, HEAD'], "Here is nothing to change.\n");
	} elseif (($refusal = refusal($_SERVER)) !== null) {
		send($refusal[0], 'text/plain', $refusal[1], $refusal[2]);
	} elseif (!class_exists(Metrics::class)) {
		send(503, 'text/plain', [], "PHP's extension mcpatterns is not loaded here, or too old to count.\n");
	} elseif (($_GET['format'] ?? '') === 'json') {
		send(200, 'application/json', [], json(look(($_GET['history'] ?? '') === '1')) . "\n");
	} else {
		$nonce = base64_encode(random_bytes(18));
		$policy = "default-src 'none'; script-src 'nonce-$nonce'; style-src 'nonce-$nonce'; connect-src 'self'; img-src data:; "
			. "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
		send(200, 'text/html', ["Content-Security-Policy: $policy"], page($nonce, json(look(true))));
	}
}

/** The page. strtr() looks at nothing twice: what is in the figures stays what it is. */
function page(string $nonce, string $look): string
{
	return strtr(PAGE, ['{nonce}' => $nonce, '{look}' => $look]);
}

const PAGE = <<<'HTML'
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>mcpatterns</title>
<link rel="icon" href="data:,">
<style nonce="{nonce}">
:root {
	color-scheme: light dark;
	--paper: #f4f2ed; --card: #fffefb; --ink: #1d1b18; --soft: #625e56; --line: #e3ded3; --track: #ece8de;
	--fresh: #0b7a66; --near: #2d63c8; --stale: #c08408; --stale-ink: #8a5c00; --made: #c43d2f; --wait: #7049c4; --quiet: #716d64;
	--bad: #b3261e; --bad-paper: #fbe9e6; --good-paper: #e5f2ec; --warn-paper: #fbf1d9; --warn: #7d5603;
	--shade: 0 1px 2px rgb(40 30 10 / .05), 0 6px 20px -12px rgb(40 30 10 / .18);
	--text: "Inter", "SF Pro Text", "Segoe UI", Roboto, Lato, "Noto Sans", "Liberation Sans", system-ui, sans-serif;
	--code: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, "DejaVu Sans Mono", "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
	:root {
		--paper: #111315; --card: #1a1d20; --ink: #efede8; --soft: #a3a099; --line: #2b2f33; --track: #272b2f;
		--fresh: #45c9ab; --near: #82aeff; --stale: #eeb94a; --stale-ink: #eeb94a; --made: #ff7f6e; --wait: #b99bff; --quiet: #95928b;
		--bad: #ff8a7e; --bad-paper: #3a1d1a; --good-paper: #16302a; --warn-paper: #352a12; --warn: #f0c566;
		--shade: none;
	}
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.45 var(--text); font-variant-numeric: tabular-nums;
	-webkit-text-size-adjust: 100%; overflow-wrap: anywhere; }
.wide { max-width: 1240px; margin: 0 auto; padding: 22px 24px 40px; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; margin-bottom: 14px; }
h1 { margin: 0; font-size: 21px; letter-spacing: -.015em; font-weight: 700; }
h1 span { color: var(--fresh); }
h2 { margin: 0; font-size: 15px; font-weight: 700; letter-spacing: -.005em; }
.about { color: var(--soft); font-size: 13.5px; flex: 1 1 0; min-width: 0; overflow-wrap: anywhere; }
button { font: inherit; font-size: 13px; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 99px;
	padding: 4px 13px 4px 11px; cursor: pointer; display: inline-flex; align-items: center; gap: 8px; align-self: center; }
button:hover { border-color: var(--quiet); }
button i { width: 8px; height: 8px; border-radius: 50%; background: var(--fresh); }
button.paused i { background: var(--quiet); border-radius: 1px; animation: none; }
button.lost i { background: var(--bad); animation: none; }
@media (prefers-reduced-motion: no-preference) {
	button i { animation: beat 2s infinite; }
	@keyframes beat { 0% { box-shadow: 0 0 0 0 color-mix(in srgb, var(--fresh) 55%, transparent); } 70%, 100% { box-shadow: 0 0 0 7px transparent; } }
	.trace b.new { animation: come .5s ease-out; }
	@keyframes come { from { opacity: 0; transform: translateY(-5px); } }
}
.verdict { border-radius: 12px; padding: 11px 16px; margin-bottom: 16px; background: var(--good-paper); }
.verdict.looking { background: var(--track); } .verdict.looking p::before { content: "…"; color: var(--soft); }
.verdict.warn { background: var(--warn-paper); } .verdict.bad { background: var(--bad-paper); }
.verdict p { margin: 0; padding-left: 20px; position: relative; } .verdict p + p { margin-top: 5px; }
.verdict p::before { content: "✓"; position: absolute; left: 0; font-weight: 700; color: var(--fresh); }
.verdict p.warn::before { content: "▲"; color: var(--warn); font-size: 12px; line-height: 1.8; } .verdict p.bad::before { content: "●"; color: var(--bad); }
.verdict b { font-weight: 700; overflow-wrap: anywhere; } .verdict small { color: var(--soft); font-size: 13.5px; }
.grid { display: grid; grid-template-columns: repeat(12, minmax(0, 1fr)); gap: 16px; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 16px 18px; box-shadow: var(--shade);
	grid-column: span 12; min-width: 0; display: flex; flex-direction: column; }
section > p.why { margin: 2px 0 12px; color: var(--soft); font-size: 13.5px; max-width: 76ch; }
@media (min-width: 900px) {
	.c4 { grid-column: span 4; } .c5 { grid-column: span 5; } .c6 { grid-column: span 6; } .c7 { grid-column: span 7; } .c8 { grid-column: span 8; }
}
.big { font-size: clamp(46px, 6.4vw, 68px); line-height: 1; font-weight: 700; letter-spacing: -.035em; margin: 2px 0 4px; }
.big small { display: inline-block; font-size: .36em; font-weight: 600; letter-spacing: -.01em; color: var(--soft); margin-left: .3em; }
.big.fresh { color: var(--fresh); } .big.mean, .mean { color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 10px 22px; margin: 0 0 10px; }
.facts div { min-width: 0; } .facts dt { color: var(--soft); font-size: 12.5px; } .facts dd { margin: 0; font-weight: 650; font-size: 18px; letter-spacing: -.01em; }
.facts.whole { gap: 6px 22px; } .facts.whole dd { color: var(--soft); font-weight: 500; font-size: 14px; letter-spacing: 0; }
.facts dd.bad { color: var(--bad); } .facts dd.warn { color: var(--warn); }
dl { margin: 0; }
#tip { position: fixed; z-index: 9; left: 0; top: 0; max-width: min(300px, 90vw); padding: 5px 9px; border-radius: 7px; background: var(--ink); color: var(--paper);
	font-size: 12.5px; line-height: 1.35; pointer-events: none; overflow-wrap: anywhere; }
#tip[hidden], section[hidden] { display: none; }
[data-tip], svg.chart, .legend li { cursor: default; -webkit-tap-highlight-color: transparent; }
figure { margin: auto 0 0; } figcaption { display: flex; justify-content: space-between; gap: 0 8px; flex-wrap: wrap; overflow-wrap: break-word; color: var(--soft); font-size: 12px; margin-top: 4px; }
svg { display: block; width: 100%; overflow: visible; }
svg .axis { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
svg .line { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.chart { height: 84px; } .chart.tall { height: 104px; } .chart.low { height: 46px; }
.share { display: flex; gap: 2px; height: 16px; border-radius: 8px; overflow: hidden; background: var(--track); margin-bottom: 12px; }
.share i { min-width: 0; }
.answers { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 10px 18px; margin-bottom: 12px; }
.answers div { display: grid; grid-template-columns: 11px 1fr; gap: 1px 8px; align-items: baseline; min-width: 0; }
.answers i, .key i { width: 10px; height: 10px; border-radius: 3px; display: inline-block; }
.answers b { font-size: 17px; font-weight: 650; } .answers span { grid-column: 2; color: var(--soft); font-size: 12.5px; line-height: 1.3; }
.fresh-bg { background: var(--fresh); } .near-bg { background: var(--near); } .stale-bg { background: var(--stale); } .made-bg { background: var(--made); }
.wait-bg { background: var(--wait); } .quiet-bg { background: var(--quiet); } .none-bg { background: repeating-linear-gradient(45deg, var(--quiet) 0 3px, transparent 3px 6px); }
.trace { font: 600 15px/1.62 var(--code); height: calc(1.62em * 5); overflow: hidden; display: flex; flex-direction: column; justify-content: flex-end;
	background: var(--paper); border-radius: 9px; padding: 7px 11px; mask-image: linear-gradient(transparent, #000 1.4em); }
.trace div { overflow-wrap: anywhere; }
.trace b { font-weight: 600; display: inline-block; border-radius: 3px; width: 1.18ch; text-align: center; cursor: default; }
.trace b:hover { outline: 1.5px solid var(--ink); }
.trace b.dim { opacity: .13; }
.trace u { text-decoration: none; color: var(--quiet); letter-spacing: .1em; }
.H { color: var(--fresh); } .h { color: var(--near); } .S, .E { color: var(--stale-ink); }
.M, .L { color: var(--made); } .W { background: var(--made); color: var(--card); }
.B, .w { color: var(--wait); } .U, .T { color: var(--near); } .R, .X, .C, .D { background: var(--bad); color: var(--card); }
.legend { display: grid; grid-template-columns: repeat(auto-fill, minmax(238px, 1fr)); gap: 4px 20px; margin: 12px 0 0; padding: 0; list-style: none; font-size: 13px; color: var(--soft); }
.legend li { display: flex; gap: 9px; align-items: baseline; } .legend b { font: 700 13px/1.5 var(--code); flex: none; width: 1.9ch; text-align: center; border-radius: 3px; }
.legend li.now { color: var(--ink); }
.told { min-height: 1.5em; margin-top: 8px; font-size: 13px; color: var(--soft); overflow-wrap: anywhere; } .told code { color: var(--ink); }
code { font: 13px/1.4 var(--code); overflow-wrap: anywhere; }
.scroll { overflow-x: auto; margin: 0 -18px; padding: 0 18px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th { text-align: right; color: var(--soft); font-weight: 500; font-size: 12.5px; padding: 0 0 6px 14px; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { text-align: right; padding: 7px 0 7px 14px; border-bottom: 1px solid var(--line); vertical-align: middle; white-space: nowrap; }
tr:last-child td { border-bottom: 0; padding-bottom: 0; }
th:first-child, td:first-child { text-align: left; padding-left: 0; white-space: normal; } td:first-child { min-width: 110px; width: 40%; }
td .meter { height: 4px; border-radius: 2px; background: var(--track); margin-top: 4px; overflow: hidden; } td .meter i { display: block; height: 100%; border-radius: 2px; }
td .share { height: 9px; min-width: 90px; margin: 0; border-radius: 5px; gap: 1px; }
td.what { width: 46%; } td.what small { display: block; font-size: 12.5px; }
svg.hour { width: 180px; height: 22px; margin-left: auto; }
td.zero { color: var(--quiet); } td.bad { color: var(--bad); font-weight: 650; } td.warn { color: var(--warn); font-weight: 650; }
.bad-ink { color: var(--bad); } .warn-ink { color: var(--warn); }
td small { color: var(--soft); }
.none { color: var(--soft); font-size: 14px; margin: 4px 0 0; }
.servers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 370px), 1fr)); gap: 12px; }
.halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 330px), 1fr)); gap: 14px 32px; }
.halves > div { min-width: 0; }
.server { border: 1px solid var(--line); border-radius: 11px; padding: 12px 14px; min-width: 0; }
.server h3 { margin: 0 0 8px; font-size: 14px; display: flex; gap: 10px; justify-content: space-between; align-items: baseline; font-weight: 650; }
.server h3 code { font-weight: 650; }
.badge { font: 600 12px/1 var(--text); padding: 4px 9px; border-radius: 99px; background: var(--good-paper); color: var(--fresh); white-space: nowrap; }
.badge.bad { background: var(--bad-paper); color: var(--bad); }
.server .facts { gap: 8px 20px; } .server .facts dd { font-size: 15px; }
.meter.memory { height: 9px; border-radius: 5px; background: var(--track); overflow: hidden; margin: 4px 0 3px; } .meter.memory i { display: block; height: 100%; background: var(--near); border-radius: 5px; }
.server svg { margin-bottom: 5px; }
.server p { margin: 0; font-size: 12.5px; color: var(--soft); overflow-wrap: anywhere; }
.server p.cause { margin: 0 0 10px; padding: 7px 11px; border-radius: 8px; background: var(--bad-paper); color: var(--ink); font-size: 13.5px; }
.server p.cause.past { margin: 8px 0 0; background: none; color: var(--soft); padding: 0; font-size: 12.5px; }
footer { margin-top: 18px; color: var(--soft); font-size: 13px; display: flex; flex-wrap: wrap; gap: 4px 18px; } a { color: inherit; }
@media (max-width: 560px) {
	.wide { padding: 14px 12px 28px; } section { padding: 14px; border-radius: 12px; } .grid { gap: 12px; } .scroll { margin: 0 -14px; padding: 0 14px; }
	.answers { grid-template-columns: repeat(2, minmax(0, 1fr)); } .legend { grid-template-columns: 1fr; } .optional { display: none; }
	td:first-child { width: auto; }
	.about { order: 3; flex-basis: 100%; } header button { margin-left: auto; }
	.facts, .facts.whole { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 8px 12px; align-items: end; } .chart.empty { height: 16px; }
	.facts.whole div:first-child { grid-column: 1 / -1; display: flex; gap: 6px; align-items: baseline; }
}
</style>
</head>
<body>
<div class="wide">
<header>
	<h1>mc<span>patterns</span></h1>
	<div class="about" id="about"></div>
	<button id="pause" type="button" aria-pressed="false"><i></i><span>live</span></button>
</header>
<div class="verdict" id="verdict" role="status"></div>
<main class="grid">
	<section class="c5">
		<h2 id="saved-title"></h2>
		<div class="big fresh" id="saved"></div>
		<p class="why" id="saved-why"></p>
		<dl class="facts whole" id="saved-whole"></dl>
		<figure><svg class="chart" id="saved-chart" role="img" aria-labelledby="saved-title"></svg>
			<figcaption><span>2 minutes ago</span><span id="saved-top"></span><span>now</span></figcaption></figure>
	</section>
	<section class="c7">
		<h2>How reads of the caches were answered</h2>
		<p class="why">Reads of cached values only: locks, counters and tags are not in here.</p>
		<div class="big" id="ratio"></div>
		<div class="share" id="share"></div>
		<div class="answers" id="answers"></div>
		<p class="why" id="consistency" hidden></p>
		<figure><svg class="chart low" id="answers-chart" role="img" aria-label="Shares of answers, over the last two minutes"></svg>
			<figcaption><span>2 minutes ago</span><span id="reads"></span><span>now</span></figcaption></figure>
	</section>
	<section id="troubles-part" hidden>
		<h2 id="troubles-title"></h2>
		<p class="why">Each of them was survived. What comes again and again needs a look.</p>
		<div class="scroll" id="troubles"></div>
	</section>
	<section>
		<h2>The trace: what happens right now, a letter each</h2>
		<p class="why">Newest at the end. When a value expires, one process goes <b class="M">M</b><b class="L">L</b><b class="W">W</b>&thinsp;: it misses, claims, writes.
			The others go on with the old one, <b class="S">S</b>, and nobody waits. Point at a letter, or tap it, for its key.</p>
		<div class="trace" id="trace"><div></div></div>
		<div class="told" id="told"></div>
		<ul class="legend" id="legend"></ul>
	</section>
	<section class="c6">
		<h2>Rebuilds</h2>
		<p class="why">Each is a computation that a visitor’s process made because a value was old or missing: one for all, not one for each.</p>
		<dl class="facts" id="rebuild-facts"></dl>
		<dl class="facts whole" id="rebuild-whole"></dl>
		<figure><svg class="chart tall" id="rebuild-chart" role="img" aria-label="Rebuilds each second, over the last two minutes"></svg>
			<figcaption><span>2 minutes ago</span><span id="rebuild-top"></span><span>now</span></figcaption></figure>
	</section>
	<section class="c6">
		<h2>Waits</h2>
		<p class="why">Who asks for a value that nobody has yet waits for the one who computes it. While an old value is there nobody waits.</p>
		<dl class="facts" id="wait-facts"></dl>
		<dl class="facts whole" id="wait-whole"></dl>
		<figure><svg class="chart tall" id="wait-chart" role="img" aria-label="Seconds of waiting each second, over the last two minutes"></svg>
			<figcaption><span>2 minutes ago</span><span id="wait-top"></span><span>now</span></figcaption></figure>
	</section>
	<section class="c7">
		<h2>Dearest keys of the last minute</h2>
		<p class="why">By the time that computing them took. Here a longer lifetime saves most.</p>
		<div class="scroll" id="keys"></div>
	</section>
	<section class="c5">
		<h2>Locks</h2>
		<p class="why">A lock found taken is a lock at work. One that was lost ran out, or was evicted, under its holder.</p>
		<div class="scroll" id="locks"></div>
	</section>
	<section>
		<h2>Caches</h2>
		<p class="why" id="groups-why"></p>
		<div class="scroll" id="groups"></div>
	</section>
	<section id="sessions-part" hidden>
		<h2>Sessions</h2>
		<p class="why" id="sessions-why"></p>
		<div class="scroll" id="sessions"></div>
	</section>
	<section>
		<h2>Servers</h2>
		<p class="why">As the PHP processes see them, and what memcached tells of itself. One that nobody has used for five minutes is left out.</p>
		<div class="servers" id="servers"></div>
	</section>
</main>
<div id="tip" role="tooltip" hidden></div>
<footer><span id="foot"></span><a href="?format=json">The same as JSON</a></footer>
<noscript>This page draws itself by JavaScript. <a href="?format=json">The figures as JSON</a></noscript>
</div>
<script type="application/json" id="look" nonce="{nonce}">{look}</script>
<script nonce="{nonce}">
'use strict';
// Seconds that the charts have, that "now" and "lately" are, between two samples of Metrics::history(), after which an unused server is forgotten; ms between looks.
const SPAN = 120, NOW = 6, MINUTE = 60, HOUR = 3600, STEP = 2, FORGOTTEN = 300, EVERY = 1000, WIDE = 3 * STEP;
// What is counted, and what the trace's letters mean, as Metrics::legend() has it.
const LOOK = JSON.parse(document.getElementById('look').textContent), COUNTS = LOOK.legend.counts.filter(count => count.of === 'cache');
const LETTERS = Object.fromEntries(LOOK.legend.letters.map(({ letter, help }) => [letter, help]));
const SUMS = COUNTS.map(({ name }) => name), SUMS_OF_SERVERS = LOOK.legend.counts.filter(({ of, kind }) => of === 'server' && kind === 'trouble').map(({ name }) => name);
const CACHE_TROUBLES = COUNTS.filter(({ kind }) => kind === 'trouble'), words = name => name.replaceAll('_', ' ');
// Some have a name that a cache's have, too: among the sums each of sessions begins with theirs.
const SESSIONS = LOOK.legend.counts.filter(({ of }) => of === 'session'), SESSION_TROUBLES = SESSIONS.filter(({ kind }) => kind === 'trouble'), SESSION = 'session_';
const ANSWERS = [
	['hits', 'fresh', 'fresh, from memcached'], ['near_hits', 'near', 'fresh, from this host’s memory'],
	['stale', 'stale', 'old, while another rebuilds'], ['elections', 'made', 'rebuilt by who asked'], ['misses', 'none', 'nothing there'],
];
// What is told of the last hour, the gravest first: one, many, what it means.
const TROUBLES = [
	['uncached', 'bad', 'value was computed for want of a server', 'values were computed for want of a server', 'stored nowhere: each who asked computed'],
	['forged', 'bad', 'forged value', 'forged values', 'somebody without the secret writes into memcached, or a secret was changed'],
	['losses', 'bad', 'lock was lost', 'locks were lost', 'it ran out under its holder, or memcached lost it'],
	[SESSION + 'failures', 'bad', 'session failed', 'sessions failed', 'no answer, another request held it for too long, or memcached lost it'],
	['breaker_openings', 'warn', 'time a server was left alone', 'times a server was left alone', 'it failed; each process that noticed counts'],
	['errors', 'warn', 'call of a cache without an answer', 'calls of a cache without an answer', 'a server did not answer, or not in time'],
	['when_down', 'warn', 'number shown without a server', 'numbers shown without a server', 'whenDown or quiet stood in'],
	['takeovers', 'warn', 'takeover', 'takeovers', 'a rebuilder died, or took longer than its lease or than others wait'],
	['unstorable', 'warn', 'unstorable result', 'unstorable results', 'no server takes them: each who asks computes'],
	['unreadable', 'warn', 'unreadable value', 'unreadable values', 'another version of the code, or foreign bytes'],
	['discarded', 'warn', 'discarded result', 'discarded results', 'the key had changed meanwhile'],
	['gave_up', 'warn', 'change given up', 'changes given up', 'others kept coming first'],
	[SESSION + 'conflicts', 'warn', 'conflict of two requests of a session', 'conflicts of two requests of a session', 'both changed one key, and the later one’s value stays'],
	[SESSION + 'takeovers', 'warn', 'session taken over', 'sessions taken over', 'a request was killed, or took longer than session_lock_expire'],
	[SESSION + 'late', 'warn', 'session written after its lock', 'sessions written after their lock', 'it was over, or gone, and another request had changed them'],
	[SESSION + 'stored_again', 'warn', 'session stored again', 'sessions stored again', 'memcached had lost them: evicted, flushed or restarted'],
	[SESSION + 'refused', 'warn', 'session refused', 'sessions refused', 'too large, not to be merged, or in another format: they stay as they were'],
	['audit_different', 'warn', 'value served that was wrong', 'values served that were wrong', 'an Audit computed another one: is there an invalidation missing?'],
	['audit_failed', 'warn', 'audit that failed', 'audits that failed', 'the computation or the comparison threw after the response'],
];
for (const { name, help } of CACHE_TROUBLES) {
	if (!TROUBLES.some(([worded]) => worded === name)) TROUBLES.push([name, 'warn', words(name), words(name), help]);
}
for (const { name, help } of SESSION_TROUBLES) {
	if (!TROUBLES.some(([worded]) => worded === SESSION + name)) TROUBLES.push([SESSION + name, 'warn', 'sessions: ' + words(name), 'sessions: ' + words(name), help]);
}
const $ = id => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';

function el(name, props = {}, ...children) {
	const node = document.createElement(name);
	for (const [key, value] of Object.entries(props)) {
		key === 'style' ? Object.assign(node.style, value) : key in node ? node[key] = value : node.setAttribute(key, value);
	}
	node.append(...children.filter(child => child !== null && child !== undefined));
	return node;
}
function shape(name, attributes) {
	const node = document.createElementNS(SVG, name);
	for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
	return node;
}
const show = (id, ...children) => $(id).replaceChildren(...children);

// --- how things are written
const NARROW = '\u202f';
function count(n) {
	const a = Math.abs(n);
	if (a >= 1e9) return (n / 1e9).toFixed(a < 1e10 ? 2 : 1) + NARROW + 'G';
	if (a >= 1e6) return (n / 1e6).toFixed(a < 1e7 ? 2 : 1) + NARROW + 'M';
	if (a >= 1e5) return Math.round(n / 1e3) + NARROW + 'k';
	return Math.round(n).toLocaleString('en');
}
// What is not known yet is null, and three dots.
function rate(n) {
	return n === null ? '…' : n === 0 ? '0' : n < 0.1 ? '<' + NARROW + '0.1' : n < 10 ? n.toFixed(1) : count(n);
}
function time(s) {
	if (s === null) return '…';
	if (s === 0) return '0 s';
	if (s < 0.001) return Math.round(s * 1e6) + ' µs';
	if (s < 1) return (s < 0.01 ? (s * 1e3).toFixed(1) : Math.round(s * 1e3)) + ' ms';
	if (s < 120) return s.toFixed(s < 10 ? 2 : s < 100 ? 1 : 0) + ' s';
	if (s < 6000) return Math.floor(s / 60) + ' min ' + Math.floor(s % 60) + ' s';
	if (s < 172800) return Math.floor(s / 3600) + ' h ' + Math.floor(s % 3600 / 60) + ' min';
	return Math.floor(s / 86400).toLocaleString('en') + ' d ' + Math.floor(s % 86400 / 3600) + ' h';
}
function bytes(n) {
	for (const unit of ['B', 'KB', 'MB']) {
		if (n < 1024) return (n < 10 && unit !== 'B' ? n.toFixed(1) : Math.round(n)) + ' ' + unit;
		n /= 1024;
	}
	return n.toFixed(n < 10 ? 2 : 1) + ' GB';
}
function share(part, whole) {
	if (!whole) return '–';
	const p = 100 * part / whole;
	if (p === 0) return '0 %';
	return p > 0 && p < 0.01 ? '<' + NARROW + '0.01 %' : p < 100 && p > 99.9 ? (Math.floor(p * 100) / 100).toFixed(2) + ' %' : p.toFixed(p >= 10 ? 1 : 2) + ' %';
}
/** A moment by the clock: its day only where that is not today. */
function moment(at, length = 16) {
	const text = new Date(at * 1000).toISOString(), day = text.slice(0, 10);
	return (day === new Date(now() * 1000).toISOString().slice(0, 10) ? '' : new Date(at * 1000).toLocaleString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' }) + ', ') + text.slice(11, length) + ' UTC';
}
function span(s) {
	for (const [length, unit] of [[86400, 'd'], [3600, 'h'], [60, 'min']]) if (s >= 2 * length || (unit === 'min' && s >= length)) return Math.floor(s / length) + ' ' + unit;
	return Math.max(0, Math.round(s)) + ' s';
}
const ago = at => now() - at < 3 ? 'just now' : span(now() - at) + ' ago';
const plural = (n, one, many) => count(n) + ' ' + (n === 1 ? one : many);

// --- history: how all counts stood, of the last hour; and what else the looks of the last minutes told, server by server
let history = [], looks = [];
const now = () => looks.at(-1).at;

const ofSessions = of => Object.fromEntries(SESSIONS.map(({ name }) => [SESSION + name, of(name)]));
const withReads = sums => ({ ...sums, reads: ANSWERS.reduce((sum, [name]) => sum + sums[name], 0), at_once: sums.hits + sums.near_hits + sums.stale });
function totals(look) {
	const { now: at, groups, servers, locks, sessions } = look.metrics;
	const sums = { at, losses: locks.reduce((sum, lock) => sum + lock.losses, 0), ...ofSessions(name => sessions.reduce((sum, session) => sum + session[name], 0)) };
	for (const { name, kind } of COUNTS) sums[name] = groups.reduce((sum, group) => kind === 'peak' ? Math.max(sum, group[name]) : sum + group[name], 0);
	for (const name of SUMS_OF_SERVERS) sums[name] = servers.reduce((sum, server) => sum + server[name], 0);
	return withReads(sums);
}
/** The samples that stand before a look. A process takes one when it begins something, so that nothing was begun in the rest of a gap. */
function past(look) {
	const { now: at, since } = look.metrics, found = [];
	if (at - since < HOUR) found.push(withReads({ ...Object.fromEntries([...SUMS, ...SUMS_OF_SERVERS, 'losses'].map(name => [name, 0])), ...ofSessions(() => 0), at: since }));
	for (const sample of (look.history ?? []).map(sums => withReads({ ...sums, ...ofSessions(name => sums.sessions[name]) }))) {
		const last = found.at(-1), pace = at - sample.at > SPAN ? MINUTE : STEP;
		if (sample.at > at - 1 || (last && sample.at - last.at < .5)) continue;
		if (last && sample.at - last.at > 2.5 * pace) found.push({ ...sample, at: last.at + pace });
		found.push(sample);
	}
	return found;
}
function keep(look) {
	const sums = totals(look), last = history.at(-1);
	if (last && SUMS.some(name => sums[name] < last[name] - 1e-6)) history = [];	// counted anew
	if (look.history) history = past(look);
	if (!history.length || sums.at > history.at(-1).at) history.push(sums);
	// Of what the charts have left behind one a minute is enough, and what ends before a gap.
	const minute = i => Math.floor(history[i]?.at / MINUTE);
	history = history.filter(({ at }, i) => at > now() - SPAN - 5 || (at > now() - HOUR - 2 * MINUTE && (minute(i) !== minute(i - 1) || history[i + 1].at - at > MINUTE)));
}
function keepLook(look) {
	const { now: at, since, servers } = look.metrics, told = { at, since, servers: {}, evictions: {}, rejected: {} };
	for (const server of servers) told.servers[server.server] = server;
	for (const { server, stats } of look.memcached) {
		if (stats) { told.evictions[server] = stats.evictions; told.rejected[server] = stats.rejected_connections || 0; }
	}
	looks = [...looks.filter(look => look.at > at - SPAN && look.at < at), told];
}
/** The last of a list's that is at least so many seconds old, or its first. */
function before(seconds, list = history) {
	const end = list.at(-1).at - seconds + .2;
	return list.findLast(sums => sums.at <= end) ?? list[0];
}
const isKnown = (list = history) => list.at(-1).at - list[0].at > .3;
/** By how much something grew, of a look's sums. */
const growth = (of, seconds, list = history) => Math.max(0, of(list.at(-1)) - of(before(seconds, list)));
/** How fast; null: not known yet. */
function speed(of, seconds = NOW, list = history) {
	return isKnown(list) ? growth(of, seconds, list) / (list.at(-1).at - before(seconds, list).at) : null;
}
/** How fast it grew in each step of the clock: [from and to, in seconds ago, per second]. */
function speeds(of) {
	const points = [], end = history.at(-1);
	let a = history[0];
	for (const b of history) {
		if (Math.floor(a.at / STEP) === Math.floor(b.at / STEP) && (b !== end || b.at - a.at < STEP / 2)) continue;
		if (b.at > now() - SPAN) points.push([now() - a.at, now() - b.at, Math.max(0, (of(b) - of(a)) / (b.at - a.at))]);
		a = b;
	}
	return points;
}

// --- charts: 600 by 100, stretched
const X = ago => 600 * (1 - Math.min(ago, SPAN) / SPAN);
function nice(top) {
	const power = 10 ** Math.floor(Math.log10(top));
	return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map(step => step * power).find(step => step >= top * 0.999);
}
function clear(id) {
	const svg = $(id);
	svg.setAttribute('viewBox', '0 0 600 100');
	svg.setAttribute('preserveAspectRatio', 'none');
	svg.replaceChildren();
	return svg;
}
function frame(svg) {
	for (const y of [0.5, 50, 99.5]) svg.append(shape('line', { class: 'axis', x1: 0, x2: 600, y1: y, y2: y, 'stroke-dasharray': y === 99.5 ? '' : '2 5' }));
}
/** What is told of a chart where it is pointed at. */
const pointed = (points, of) => ago => {
	const point = points.find(([from, to]) => ago <= from && ago >= to);
	return point ? (ago < 1 ? 'now' : Math.round(ago) + ' s ago') + ': ' + of(point[2]) : '';
};
function area(id, points, colour, of) {
	const svg = clear(id), top = nice(Math.max(...points.map(p => p[2]), 1e-9));
	frame(svg);
	svg.told = pointed(points, of);
	svg.classList.toggle('empty', !points.some(p => p[2]));
	if (points.length) {
		const y = value => (100 - 96 * value / top).toFixed(1);
		// A step that is wide, because nobody took a sample in it, is as high at its beginning as at its end.
		const corners = points.flatMap(([from, to, value]) => from - to > WIDE ? [[from, value], [to, value]] : [[to, value]]);
		const path = corners.map(([ago, value]) => `${X(ago).toFixed(1)} ${y(value)}`).join('L');
		const start = X(corners[0][0]).toFixed(1);
		svg.append(shape('path', { d: `M${start} 100L${path}L600 100Z`, fill: `var(--${colour})`, opacity: .16 }),
			shape('path', { d: `M${path}`, class: 'line', stroke: `var(--${colour})` }));
	}
	return points.some(p => p[2]) ? 'top: ' + of(top) : 'nothing';
}
function bars(id, points, colour, of) {
	const svg = clear(id), top = nice(Math.max(...points.map(p => p[2]), 1e-9));
	frame(svg);
	svg.told = pointed(points, of);
	svg.classList.toggle('empty', !points.some(p => p[2]));
	for (const [from, to, value] of points) {
		if (value > 0 && from <= SPAN) {
			const height = Math.max(2, 96 * value / top), left = X(from);
			svg.append(shape('rect', { x: left.toFixed(1), y: (100 - height).toFixed(1), width: Math.max(1, X(to) - left - 1).toFixed(1), height: height.toFixed(1), fill: `var(--${colour})` }));
		}
	}
	return points.some(p => p[2]) ? 'top: ' + of(top) : 'nothing';
}
function stack(id, layers) {
	const svg = clear(id);
	svg.append(shape('rect', { width: 600, height: 100, fill: 'var(--track)' }));
	const points = layers.map(([, points]) => points), length = points[0].length;
	svg.told = ago => layers.map(([, points, text]) => [points.find(([from, to]) => ago <= from && ago >= to)?.[2] ?? 0, text]).filter(([value]) => value)
		.map(([value, text]) => `${rate(value)} a second ${text}`).join(', ');
	for (let i = 0; i < length; i++) {
		const whole = points.reduce((sum, layer) => sum + layer[i][2], 0), [from, to] = points[0][i];
		if (!whole || from > SPAN) continue;
		let y = 100;
		layers.forEach(([colour, layer]) => {
			const height = 100 * layer[i][2] / whole;
			if (height <= 0) return;
			y -= height;
			svg.append(shape('rect', { x: X(from).toFixed(1), width: (X(to) - X(from) + 1).toFixed(1), y: y.toFixed(2), height: height.toFixed(2), fill: `var(--${colour})` }));
		});
	}
}
// --- the parts
function fact(name, value, level = '') {
	return el('div', {}, el('dt', { textContent: name }), el('dd', { textContent: value, className: level }));
}
/** Grey, and since when: all that was counted, and means of it. */
function whole(id, look, ...facts) {
	show(id, fact('since', moment(look.metrics.since)), ...facts.map(([name, value]) => fact(name, value)));
}
const mean = (seconds, n) => n ? time(seconds / n) : '–';

function drawSaved(look) {
	const last = history.at(-1);
	// Values that were set without a computation do not tell what they save.
	const knows = last.saved_seconds > 0 || last.compute_seconds > 0 || !last.reads;
	show('saved-title', knows ? 'Computing saved, each second' : 'Reads answered at once, each second');
	(knows ? drawComputing : drawAtOnce)(look, last);
}
function drawComputing(look, last) {
	const now = speed(s => s.saved_seconds), [value, unit] = splitTime(now);
	show('saved', value, el('small', { textContent: unit }));
	show('saved-why', now >= 1.5 ? `Without the caches ${count(now)} more requests would be waiting or computing, at any moment.`
		: 'What computing the values served would have taken, were they not cached.');
	whole('saved-whole', look, ['saved', time(last.saved_seconds)], ['spent computing', time(last.compute_seconds)],
		['saved for each second spent', last.compute_seconds ? count(last.saved_seconds / last.compute_seconds) + ' s' : '–']);
	show('saved-top', area('saved-chart', speeds(s => s.saved_seconds), 'fresh', time));
}
function drawAtOnce(look, last) {
	show('saved', rate(speed(s => s.at_once)));
	show('saved-why', 'What they save is not known: values that were set without a computation, as WordPress’s are, do not say what they took.');
	whole('saved-whole', look, ['answered at once', count(last.at_once)], ['of reads', count(last.reads)], ['share', share(last.at_once, last.reads)]);
	show('saved-top', area('saved-chart', speeds(s => s.at_once), 'fresh', value => rate(value) + ' a second'));
}
function splitTime(s) {
	if (s === null) return ['…', ''];
	if (s >= 1 || s === 0) return [s >= 100 ? count(s) : s >= 10 ? s.toFixed(1) : s.toFixed(s ? 2 : 0), 's'];
	return [s < 0.01 ? (s * 1000).toFixed(1) : Math.round(s * 1000), 'ms'];
}
function drawAnswers(look) {
	const lately = growth(s => s.reads, NOW) > 0, last = history.at(-1), level = lately ? '' : ' mean';
	const amount = name => lately ? growth(s => s[name], NOW) : last[name];
	const all = amount('reads'), since = 'since ' + moment(look.metrics.since);
	$('ratio').className = 'big' + level;
	show('ratio', share(amount('at_once'), all), el('small', { textContent: all ? 'had a value at once' + (lately ? '' : ', ' + since) : 'nobody has read yet' }));
	show('share', ...ANSWERS.filter(([name]) => amount(name)).map(([name, colour, text]) =>
		el('i', { className: colour + '-bg', 'data-tip': `${share(amount(name), all)} ${text}`, style: { flex: String(amount(name) / all) } })));
	show('answers', ...ANSWERS.map(([name, colour, text]) => el('div', { 'data-tip': `${count(last[name])} ${since}` },
		el('i', { className: colour + '-bg' }), el('b', { className: level, textContent: share(amount(name), all) }), el('span', { textContent: text }))));
	stack('answers-chart', ANSWERS.map(([name, colour, text]) => [colour === 'none' ? 'quiet' : colour, speeds(s => s[name]), text]));
	show('reads', rate(speed(s => s.reads)) + ' reads a second');
}
/** What Audits have found; hidden where there is none. */
function drawConsistency() {
	const { audit_checked: checked, audit_different: different, audit_still_stored: standing, audit_oldest_seconds: oldest } = history.at(-1);
	$('consistency').hidden = !checked;
	if (!checked) return;
	const equal = Math.floor(1e5 * (checked - different) / checked) / 1e3;
	show('consistency', el('b', { textContent: `Consistency ${different ? equal.toFixed(3) : 100} %` }), ` of ${count(checked)} checked`
		+ (different ? `, oldest difference ${time(oldest)}; ${count(standing)} of ${plural(different, 'difference', 'differences')} not invalidated since.` : '.'));
}
function drawRebuilds(look) {
	const last = history.at(-1), n = growth(s => s.computations, MINUTE);
	show('rebuild-facts', fact('each second', rate(speed(s => s.computations))), fact('in the last minute', count(n)), fact('one takes', mean(growth(s => s.compute_seconds, MINUTE), n)));
	whole('rebuild-whole', look, ['rebuilds', count(last.computations)], ['one took', mean(last.compute_seconds, last.computations)], ['early', count(last.early)],
		['after the response', count(last.after_response)], ['taken over', count(last.takeovers)], ['discarded', count(last.discarded)],
		['changed since the look', count(last.changed)]);
	show('rebuild-top', bars('rebuild-chart', speeds(s => s.computations), 'made', value => rate(value) + ' a second'));
}
function drawWaits(look) {
	const last = history.at(-1), n = growth(s => s.waits, MINUTE);
	show('wait-facts', fact('waiting, each second', time(speed(s => s.wait_seconds))), fact('reads that waited in the last minute', count(n)), fact('one waits', mean(growth(s => s.wait_seconds, MINUTE), n)));
	whole('wait-whole', look, ['reads that waited', count(last.waits)], ['one waited', mean(last.wait_seconds, last.waits)], ['in all', time(last.wait_seconds)]);
	show('wait-top', bars('wait-chart', speeds(s => s.wait_seconds), 'wait', time));
}

// --- troubles of the last hour
/** When something grew last, to a step or a minute; null: not in this hour. */
function lastGrowth(name) {
	for (let i = history.length - 1; i > 0 && history[i].at > now() - HOUR; i--) if (history[i][name] > history[i - 1][name]) return history[i].at;
	return null;
}
function troubles() {
	return TROUBLES.map(([name, level, one, many, why]) => ({ name, level, why, n: growth(s => s[name], HOUR), one, many, last: lastGrowth(name) })).filter(({ n, last }) => n && last !== null);
}
/** When in the hour: a bar for each minute, as high as what grew in it. */
function hour(name, level) {
	const minutes = new Array(60).fill(0);
	for (let i = 1; i < history.length; i++) {
		const grown = history[i][name] - history[i - 1][name], ago = Math.floor((now() - history[i].at) / MINUTE);
		if (grown > 0 && ago < 60) minutes[59 - ago] += grown;
	}
	const svg = shape('svg', { viewBox: '0 0 180 22', class: 'hour', role: 'img', 'aria-label': 'when in the last hour' }), most = Math.max(...minutes);
	svg.append(shape('line', { class: 'axis', x1: 0, x2: 180, y1: 21.5, y2: 21.5 }));
	minutes.forEach((n, i) => {
		if (!n) return;
		const height = Math.max(3, 21 * Math.sqrt(n / most));
		svg.append(shape('rect', { x: i * 3, y: 21 - height, width: 2.4, height, fill: `var(--${level})`, 'data-tip': `${count(n)}, ${i === 59 ? 'in this minute' : 59 - i + ' min ago'}` }));
	});
	return svg;
}
function drawTroubles(look) {
	const found = troubles(), { since } = look.metrics;
	$('troubles-part').hidden = !found.length;
	show('troubles-title', now() - since < HOUR ? 'Troubles since ' + moment(since) : 'Troubles of the last hour');
	show('troubles', table([['what'], ['how often'], ['when', { className: 'optional' }], ['the last']], found.map(({ name, level, one, many, why, n, last }) => el('tr', {},
		el('td', { className: 'what' }, el('b', { className: level + '-ink', textContent: (n === 1 ? one : many) }), el('small', { textContent: why })),
		cell(count(n)), el('td', { className: 'optional' }, hour(name, level)),
		el('td', {}, ago(last), el('br'), el('small', { textContent: moment(last, now() - last < SPAN ? 19 : 16) }))))));
}
function table(heads, rows, none) {
	if (!rows.length) return el('p', { className: 'none', textContent: none });
	return el('table', {}, el('thead', {}, el('tr', {}, ...heads.map(([text, more = {}]) => el('th', { ...more, textContent: text })))), el('tbody', {}, ...rows));
}
const cell = (text, props = {}) => el('td', { ...props }, text);
const number = (n, level = '', more = '') => cell(count(n), { className: (n ? level : 'zero') + more });
const name = (text, empty) => text === '' ? el('small', { textContent: empty }) : el('code', { textContent: text });

function drawKeys(look) {
	const dearest = [...look.metrics.rebuilds].sort((a, b) => b.seconds - a.seconds).slice(0, 6), most = Math.max(...dearest.map(r => r.seconds), 1e-9);
	show('keys', table([['key'], ['rebuilds'], ['each'], ['in all']], dearest.map(({ key, group, count: n, seconds }) => el('tr', {},
		el('td', {}, el('code', {}, key), el('div', { className: 'meter' }, el('i', { className: 'made-bg', style: { width: 100 * seconds / most + '%' } }))),
		number(n), cell(time(n ? seconds / n : 0)), cell(time(seconds)))), 'Nothing was rebuilt in the last minute.'));
}
function drawLocks(look) {
	const locks = [...look.metrics.locks].sort((a, b) => b.losses - a.losses || b.contention - a.contention).slice(0, 12);
	show('locks', table([['lock'], ['acquired'], ['found taken'], ['lost']], locks.map(({ lock, acquisitions, contention, losses }) => el('tr', {},
		cell(name(lock, 'all others')), number(acquisitions), number(contention), number(losses, 'bad'))), 'No lock was used yet.'));
}
function drawGroups(look) {
	const readsOf = group => ANSWERS.reduce((sum, [name]) => sum + group[name], 0);
	const groups = [...look.metrics.groups].sort((a, b) => b.saved_seconds - a.saved_seconds || readsOf(b) - readsOf(a)).slice(0, 40);
	show('groups-why', `By their prefix, all since ${moment(look.metrics.since)}; grey is a mean of that time.`);
	const heads = [['cache'], ['answers'], ['reads'], ['at once'], ['rebuilds'], ['a rebuild takes'], ['waited', { className: 'optional' }],
		['trouble', { 'data-tip': CACHE_TROUBLES.map(({ name, help }) => words(name) + ': ' + help).join(' ') }], ['saved']];
	show('groups', table(heads, groups.map(group => {
		const reads = readsOf(group), good = group.hits + group.near_hits + group.stale;
		const troubles = CACHE_TROUBLES.map(({ name }) => name).filter(name => group[name]);
		return el('tr', {}, cell(group.is_other ? el('small', { textContent: 'all other prefixes' }) : name(group.group, 'no prefix')),
			cell(el('div', { className: 'share' }, ...ANSWERS.filter(([name]) => group[name]).map(([name, colour, text]) =>
				el('i', { className: colour + '-bg', 'data-tip': share(group[name], reads) + ' ' + text, style: { flex: String(group[name] / reads) } })))),
			number(reads), cell(share(good, reads), { className: 'mean' }), number(group.computations), cell(mean(group.compute_seconds, group.computations), { className: 'mean' }),
			cell(time(group.wait_seconds), { className: 'optional' + (group.wait_seconds ? '' : ' zero') }),
			cell(troubles.length ? troubles.map(name => count(group[name]) + ' ' + (group[name] === 1 ? words(name).replace(/s$/, '') : words(name))).join(', ') : '–', { className: troubles.length ? 'warn' : 'zero' }),
			cell(time(group.saved_seconds)));
	}), 'No cache was used yet.'));
}

function drawSessions(look) {
	const sessions = [...look.metrics.sessions].sort((a, b) => b.failures - a.failures || b.starts - a.starts);
	$('sessions-part').hidden = !sessions.length;
	show('sessions-why', `By the prefix of their keys, all since ${moment(look.metrics.since)}. A request waits for another one that has its session locked.`);
	const others = SESSION_TROUBLES.map(({ name }) => name).filter(name => !['takeovers', 'conflicts', 'failures'].includes(name));
	const heads = [['sessions'], ['starts'], ['waits'], ['one waits'], ['taken over'], ['conflicts'],
		['trouble', { className: 'optional', 'data-tip': SESSION_TROUBLES.map(({ name, help }) => words(name) + ': ' + help).join(' ') }], ['failures']];
	show('sessions', table(heads, sessions.map(session => {
		const troubles = others.filter(name => session[name]).map(name => count(session[name]) + ' ' + words(name));
		return el('tr', {}, cell(name(session.prefix, 'no prefix')), number(session.starts), number(session.waits), cell(mean(session.wait_seconds, session.waits), { className: 'mean' }),
			number(session.takeovers, 'warn'), number(session.conflicts, 'warn'),
			cell(troubles.length ? troubles.join(', ') : '–', { className: 'optional ' + (troubles.length ? 'warn' : 'zero') }), number(session.failures, 'bad'));
	})));
}

// --- servers
function quantile(counts, bounds, part) {
	const whole = counts.reduce((sum, n) => sum + n, 0);
	let sum = 0;
	for (let i = 0; i < counts.length; i++) {
		sum += counts[i];
		if (whole && sum >= part * whole) return i < bounds.length ? '≤ ' + time(bounds[i]) : '> ' + time(bounds.at(-1));
	}
	return '–';
}
function histogram(counts, bounds) {
	const svg = shape('svg', { viewBox: '0 0 210 30', preserveAspectRatio: 'none', height: 30, role: 'img', 'aria-label': 'How long calls took' });
	const most = Math.max(...counts, 1);
	counts.forEach((n, i) => {
		const height = n ? Math.max(1.5, 29 * Math.sqrt(n / most)) : .5;
		const bar = shape('rect', { x: i * 10, y: 30 - height, width: 8.6, height, fill: n ? 'var(--fresh)' : 'var(--line)' });
		svg.append(bar, shape('rect', { x: i * 10, y: 0, width: 10, height: 30, fill: 'transparent', 'data-tip': plural(n, 'call', 'calls') + (i < bounds.length ? ' of at most ' + time(bounds[i]) : ' of more') }));
	});
	return svg;
}
const isNonsense = text => /not the memcached protocol$/.test(text ?? '');
/** How a server is: badge, whether that is bad, why. */
function condition(server, memcached) {
	const error = server?.last_error, isRecent = error && now() - error.at < MINUTE;
	const nonsense = isNonsense(memcached?.error) ? memcached.error : isRecent && !memcached?.stats && isNonsense(error.message) ? error.message : null;
	const words = text => text.replace(/^the server /, 'it ');
	if (nonsense) return { badge: 'answers nonsense', head: 'answers nonsense:', why: words(nonsense) + '. Is that the port of a memcached?' };
	if (server?.is_open) {
		const since = server.open_since ? ` since ${moment(server.open_since, 19)} (${span(now() - server.open_since)})` : '';
		return { badge: 'left alone', head: `has been left alone${since}:`, why: (error ? words(error.message) : 'it failed') + '.' };
	}
	if (memcached && !memcached.stats) return { badge: 'does not answer', head: 'does not answer:', why: words(memcached.error) + '.' };
	const past = error && now() - error.at < HOUR ? `It failed last ${ago(error.at)}, at ${moment(error.at, 19)}: ${words(error.message)}.` : '';
	return { badge: 'answers', past };
}
/** What is in use, or asked by this page. */
function serversOf(look) {
	const told = new Map(look.memcached.map(m => [m.server, m]));
	const seen = new Map(look.metrics.servers.filter(s => told.has(s.server) || s.is_open || now() - s.last_used < FORGOTTEN).map(s => [s.server, s]));
	return [...new Set([...seen.keys(), ...told.keys()])].map(address => ({ address, server: seen.get(address), memcached: told.get(address) }));
}
/** As the processes see it. */
function seenBy(look, address, server) {
	const lately = of => growth(told => told.servers[address] ? of(told.servers[address]) : of(server), MINUTE, looks);
	const recent = server.round_trips.map((n, i) => lately(s => s.round_trips[i])), isRecent = recent.some(n => n > 0);
	const counts = isRecent ? recent : server.round_trips, bounds = look.metrics.bounds.round_trips, level = isRecent ? '' : 'mean';
	return el('div', {}, el('dl', { className: 'facts' }, fact('calls a second', rate(speed(told => told.servers[address]?.calls ?? server.calls, NOW, looks))),
		fact('half of them take', quantile(counts, bounds, .5), level), fact('99 of 100', quantile(counts, bounds, .99), level)),
	el('dl', { className: 'facts whole' }, fact('since', moment(look.metrics.since)), fact('timeouts', count(server.timeouts)), fact('failures', count(server.failures)),
		fact('breaker opened', count(server.breaker_openings)), ...(server.when_down ? [fact('answered for', count(server.when_down))] : [])), histogram(counts, bounds),
	el('p', { textContent: `Round trips ${isRecent ? 'of the last minute' : 'since ' + moment(look.metrics.since)}: from 16 µs on the left, each bar for twice as long, to 8 s.` }));
}
/** As it tells of itself. */
function toldBy(address, { stats, error }) {
	if (!stats) return el('div', {}, el('p', { textContent: 'Its own figures are not to be had.' }));
	const full = stats.bytes / stats.limit_maxbytes, evicting = speed(told => told.evictions[address] ?? stats.evictions, MINUTE, looks);
	return el('div', {}, el('dl', { className: 'facts' },
		fact('evictions', count(stats.evictions) + (evicting ? `, ${rate(evicting)} a second` : ''), evicting ? 'warn' : ''),
		fact('connections', `${count(stats.curr_connections)} of ${count(stats.max_connections)}`),
		fact('refused', count(stats.rejected_connections || 0), stats.rejected_connections ? 'bad' : ''), fact('up for', time(stats.uptime))),
	el('div', { className: 'meter memory', 'data-tip': share(stats.bytes, stats.limit_maxbytes) + ' of its memory' }, el('i', { style: { width: 100 * Math.min(1, full) + '%' } })),
	el('p', { textContent: `${bytes(stats.bytes)} of ${bytes(stats.limit_maxbytes)} in ${plural(stats.curr_items, 'item', 'items')}, memcached ${stats.version}` }));
}
function drawServers(look) {
	const cards = serversOf(look).map(({ address, server, memcached }) => {
		const { badge, head, why, past } = condition(server, memcached);
		const own = memcached ? toldBy(address, memcached) : el('div', {}, el('p', { textContent: 'Its own figures are not asked for: MCPATTERNS_DASHBOARD_SERVERS does not name it.' }));
		return el('div', { className: 'server' }, el('h3', {}, el('code', { textContent: address }), el('span', { className: 'badge' + (why ? ' bad' : ''), textContent: badge })),
			why ? el('p', { className: 'cause' }, el('b', { textContent: head[0].toUpperCase() + head.slice(1) }), ' ' + why) : null,
			el('div', { className: 'halves' }, ...(server ? [seenBy(look, address, server)] : []), own),
			past ? el('p', { className: 'cause past', textContent: past }) : null);
	});
	show('servers', ...(cards.length ? cards : [el('p', { className: 'none', textContent: 'No server was asked lately.' })]));
}

// --- the trace
let trace = [], known = '', chosen = '';
function readTrace(events) {
	const id = event => `${event.at} ${event.pid} ${event.letter} ${event.key}`;
	const at = events.findLastIndex(event => id(event) === known);
	const fresh = at < 0 ? events : events.slice(at + 1);
	const begins = !trace.length;
	if (at < 0 && known && fresh.length) trace.push({ gap: true });
	trace.push(...fresh.map(event => ({ ...event, fresh: !begins })));
	trace = trace.slice(-700);
	if (events.length) known = id(events.at(-1));
	const letters = trace.map(event => {
		if (event.gap) return el('u', { textContent: ' ⋯ ', title: 'more happened here than is shown' });
		const letter = el('b', { className: event.letter + (event.fresh ? ' new' : '') + (chosen && chosen !== event.letter ? ' dim' : ''), textContent: event.letter });
		letter.event = event;
		event.fresh = false;
		return letter;
	});
	$('trace').firstElementChild.replaceChildren(...letters);
	const now = new Set(trace.filter(event => !event.gap).slice(-400).map(event => event.letter));
	for (const entry of $('legend').children) entry.classList.toggle('now', now.has(entry.letter));
	if (!letters.length) show('told', 'Nothing has happened yet: call a page that uses a Cache.');
}
function tell(event) {
	if (!event) return;
	show('told', new Date(event.at * 1000).toISOString().slice(11, 23) + ' UTC · ', el('code', { textContent: event.key === '' ? '(no key)' : event.key }), ` · ${LETTERS[event.letter] ?? event.letter} · process ${event.pid}`);
}
function buildLegend() {
	show('legend', ...Object.entries(LETTERS).map(([letter, text]) => {
		const entry = el('li', {}, el('b', { className: letter, textContent: letter }), text);
		entry.letter = letter;
		entry.onpointerenter = event => event.pointerType === 'mouse' && dim(letter);
		entry.onpointerleave = event => event.pointerType === 'mouse' && dim('');
		entry.onclick = () => dim(chosen === letter && !entry.matches(':hover') ? '' : letter);
		return entry;
	}));
	$('trace').onmouseover = event => tell(event.target.event);
	$('trace').onclick = event => tell(event.target.event);
	show('told', 'Point at a letter, or tap it, for its key.');
}
function dim(letter) {
	chosen = letter;
	for (const node of $('trace').querySelectorAll('b')) node.classList.toggle('dim', !!letter && node.textContent !== letter);
}

// --- what matters, in a sentence
/** Where nothing is wrong. */
function calm(look, all) {
	const reads = speed(s => s.reads), saved = speed(s => s.saved_seconds), latest = troubles().sort((a, b) => b.last - a.last)[0];
	if (!all.reads) return ['', 'All is well.', 'No cache was read yet.'];
	if (reads === null) return ['looking', 'Looking …', 'How much is read at the moment will be here in a second.'];
	const good = reads ? `${share(speed(s => s.at_once), reads)} of ${rate(reads)} reads a second have their value at once${saved ? `, which saves ${time(saved)} of computing each second` : ''}.`
		: `Nobody reads at the moment. ${share(all.at_once, all.reads)} of all reads since ${moment(look.metrics.since)} had their value at once.`;
	return ['', 'All is well.', good + (latest ? ` The last trouble was ${ago(latest.last)}.` : '')];
}
function judge(look) {
	const all = history.at(-1), says = [], say = (level, head, text) => says.push([level, head, text]);
	const lately = of => growth(of, MINUTE);
	if (!look.metrics.enabled) say('bad', 'Nothing is counted.', 'mcpatterns.metrics is off in php.ini.');
	else if (!look.metrics.shared) say('warn', 'These are the figures of one process only.', 'Set mcpatterns.shared_memory_path to a file that all of them may write, and restart PHP.');
	for (const { address, server, memcached } of serversOf(look)) {
		const { head, why } = condition(server, memcached);
		if (why) say('bad', `${address} ${head}`, why + (server?.is_open ? ' Its values are computed by each who asks, its locks and counters throw.' : ''));
	}
	const uncached = lately(s => s.uncached);
	if (uncached) say('bad', `Computed for want of a server: ${rate(speed(s => s.uncached, MINUTE))} a second.`, `${plural(uncached, 'value', 'values')} in the last minute could not be stored: each who asks computes.`);
	if (lately(s => s.forged)) say('bad', plural(lately(s => s.forged), 'forged value', 'forged values') + ' in the last minute.', 'Somebody without the secret writes into memcached, or a secret was just changed.');
	if (lately(s => s.losses)) say('bad', plural(lately(s => s.losses), 'lock was lost', 'locks were lost') + ' in the last minute.', 'It ran out under its holder, or memcached lost it.');
	if (lately(s => s.session_failures)) say('bad', plural(lately(s => s.session_failures), 'session', 'sessions') + ' failed in the last minute.', 'No answer, another request held it for too long, or memcached lost it.');
	for (const { server, stats } of look.memcached) {
		if (!stats) continue;
		const evicted = growth(told => told.evictions[server] ?? stats.evictions, MINUTE, looks), rejected = growth(told => told.rejected[server] ?? 0, MINUTE, looks);
		if (evicted) say('warn', server + ' is full:', plural(evicted, 'value', 'values') + ' evicted in the last minute.');
		if (rejected) say('bad', server + ' refuses connections:', plural(rejected, 'process', 'processes') + ' turned away in the last minute; raise memcached’s -c.');
	}
	for (const [name, , one, many, why] of TROUBLES.filter(([name]) => ['takeovers', 'errors', 'unstorable', 'unreadable', 'discarded', 'audit_different'].includes(name))) {
		const n = lately(s => s[name]);
		if (n) say('warn', plural(n, one, many) + ' in the last minute:', why + '.');
	}
	if (look.metrics.trace_failures) say('warn', plural(look.metrics.trace_failures, 'write', 'writes') + ' of mcpatterns.trace_file failed.', 'Its file cannot be written.');
	if (!says.length) say(...calm(look, all));
	$('verdict').className = 'verdict ' + (says.some(s => s[0] === 'bad') ? 'bad' : says.some(s => s[0] === 'warn') ? 'warn' : says[0][0]);
	show('verdict', ...says.slice(0, 8).map(([level, head, text]) => el('p', { className: level }, el('b', { textContent: head }), ' ', el('small', { textContent: text }))));
}

function draw(look) {
	if (looks.length && look.metrics.since !== looks.at(-1).since) [history, looks] = [[], []];
	keepLook(look);
	keep(look);
	show('about', `${look.host} · ${look.metrics.shared ? plural(look.metrics.processes, 'process', 'processes') : 'this process alone'} · counting for ${time(look.metrics.now - look.metrics.since)}`);
	judge(look);
	drawSaved(look);
	drawAnswers(look);
	drawConsistency();
	drawTroubles(look);
	drawRebuilds(look);
	drawWaits(look);
	readTrace(look.trace);
	drawKeys(look);
	drawLocks(look);
	drawGroups(look);
	drawSessions(look);
	drawServers(look);
	show('foot', `mcpatterns ${look.version} · looked at ${new Date(look.metrics.now * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`);
	refreshTip();
	document.documentElement.dataset.looks = Number(document.documentElement.dataset.looks ?? 0) + 1;
}

// --- what is told where something is pointed at, or tapped
let tipAt = null;
function toldOf(node, x) {
	if (!node?.told) return node?.dataset.tip ?? '';
	const { left, width } = node.getBoundingClientRect();
	return node.told(SPAN * (1 - (x - left) / width));
}
function refreshTip() {
	const node = tipAt && document.elementFromPoint(...tipAt)?.closest('[data-tip], svg.chart'), text = toldOf(node, tipAt?.[0]);
	$('tip').hidden = !text;
	if (!text) return;
	show('tip', text);
	const [x, y] = tipAt, { offsetWidth: width, offsetHeight: height } = $('tip');
	Object.assign($('tip').style, { left: Math.max(6, Math.min(x + 12, innerWidth - width - 6)) + 'px', top: (y > height + 20 ? y - height - 14 : y + 20) + 'px' });
}
function pointAt(event) {
	tipAt = [event.clientX, event.clientY];
	refreshTip();
}
document.addEventListener('pointermove', event => event.pointerType === 'mouse' && pointAt(event));
document.addEventListener('click', pointAt);
document.addEventListener('scroll', () => { tipAt = null; refreshTip(); }, { passive: true });
document.documentElement.addEventListener('pointerleave', () => { tipAt = null; refreshTip(); });

// --- again and again
const source = new URL(location.href);
source.username = source.password = source.hash = '';
source.searchParams.set('format', 'json');
let paused = false, asked = Date.now();
function state(name, text) {
	$('pause').className = name;
	$('pause').lastElementChild.textContent = text;
	$('pause').setAttribute('aria-pressed', String(paused));
}
async function again() {
	const began = performance.now();
	if (!paused && !document.hidden) {
		try {
			// Who was away wants to know what was meanwhile.
			source.searchParams.set('history', Date.now() - asked > 10 * EVERY ? '1' : '0');
			asked = Date.now();
			const answer = await fetch(source, { cache: 'no-store', credentials: 'same-origin', signal: AbortSignal.timeout(10000) });
			if (!answer.ok) throw new Error('status ' + answer.status);
			const look = await answer.json();
			if (!paused) {
				draw(look);
				state('', 'live');
			}
		} catch (failure) {
			paused || state('lost', 'no answer, trying again');
		}
	}
	setTimeout(again, Math.max(200, EVERY - (performance.now() - began)));
}
$('pause').onclick = () => { paused = !paused; state(paused ? 'paused' : '', paused ? 'paused' : 'live'); };
buildLegend();
draw(LOOK);
setTimeout(again, 400);
</script>
</body>
</html>

HTML;

main();
