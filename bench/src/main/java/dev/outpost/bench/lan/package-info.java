/**
 * {@code ./outpost bench lan}: models over workers in network namespaces, with links of a given rate, compared with their
 * plans.
 */
package dev.outpost.bench.lan;
