<?php
/* The counts of this host's PHP processes for Prometheus, as a page of its own. Put it where the web server serves PHP from,
 * the same token into its environment and into Prometheus's:
 *
 *     scrape_configs:
 *       - job_name: mcpatterns
 *         metrics_path: /prometheus.php
 *         authorization: { credentials: the-token }
 *         static_configs: [{ targets: ['web-1.internal', 'web-2.internal'] }]
 *
 * examples/grafana.json draws what comes of it, examples/alerts.yml says when to wake somebody. */
/* SPDX-License-Identifier: MIT */

use McPatterns\Metrics;

$token = (string) getenv('MCPATTERNS_PROMETHEUS_TOKEN');
$given = $_SERVER['HTTP_AUTHORIZATION'] ?? null;
// Without a token in the environment nobody is let in. The comparison takes equally long whatever is wrong.
if ($token === '' || !is_string($given) || !hash_equals(hash('sha256', "Bearer $token"), hash('sha256', $given))) {
    http_response_code(403);
    exit;
}
header('Content-Type: text/plain; version=0.0.4; charset=utf-8');
echo Metrics::prometheus();
