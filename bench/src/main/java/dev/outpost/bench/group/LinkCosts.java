package dev.outpost.bench.group;

/**
 * What an exchange costs on a link, as Hockney's model has it: a latency for each message that is waited for, and a time for each byte.
 *
 * @param latencySeconds of a message that a member waits for
 * @param bytesPerSecond of one member, in one direction while the other one is as busy
 */
record LinkCosts(double latencySeconds, double bytesPerSecond) {}
