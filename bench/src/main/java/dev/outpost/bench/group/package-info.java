/**
 * {@code ./outpost bench group}: scaling over machines, their exchanges compared with plain connections, and a prediction for
 * more machines.
 */
package dev.outpost.bench.group;
