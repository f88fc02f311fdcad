package dev.outpost.bench.group;

/**
 * The cost of an exchange on a link in Hockney's model: a latency for each message that is waited for, and a time for each
 * byte.
 *
 * @param latencySeconds the latency of a message that a member waits for
 * @param bytesPerSecond bytes per second of one member in one direction, while the other direction is equally busy
 */
record LinkCosts(double latencySeconds, double bytesPerSecond) {}
