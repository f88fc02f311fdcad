/** {@code ./outpost bench lan}: models over workers in network namespaces, behind links of a given rate, beside what their plans say. */
package dev.outpost.bench.lan;
