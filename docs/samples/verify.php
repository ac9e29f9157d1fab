<?php

/**
 * Is this delivery from the service? PHP 7.4 or later, no packages.
 *
 * $headers with lower-case names; $body the bytes as they came: file_get_contents('php://input').
 * Standard Webhooks: base64 of HMAC-SHA256 over id, ".", timestamp, "." and body, under the key whose base64 follows
 * "whsec_".
 */
function verify(string $secret, array $headers, string $body, int $tolerance = 300): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > $tolerance) {
        return false;
    }
    $key = (string) base64_decode((string) substr($secret, strlen('whsec_')));
    // Anybody can sign with an empty key.
    if ($key === '') {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // For a day after a rotation there are two, separated by a space.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

// To try it: WEBHOOK_SECRET=whsec_… php verify.php <webhook-id> <webhook-timestamp> <webhook-signature> < body
if (PHP_SAPI === 'cli' && isset($argv[3])) {
    $headers = ['webhook-id' => $argv[1], 'webhook-timestamp' => $argv[2], 'webhook-signature' => $argv[3]];
    $tolerance = (int) (getenv('WEBHOOK_TOLERANCE') ?: 300);
    $genuine = verify((string) getenv('WEBHOOK_SECRET'), $headers, stream_get_contents(STDIN), $tolerance);
    echo $genuine ? 'genuine' : 'refused', "\n";
    exit($genuine ? 0 : 1);
}
