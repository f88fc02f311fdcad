/** Statistics over repeated measurements. */
package dev.outpost.bench.statistics;
