/** {@code ./outpost bench group}: scaling over machines, their exchanges beside plain connections, and a prediction for more machines. */
package dev.outpost.bench.group;
