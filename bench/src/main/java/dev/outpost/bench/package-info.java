/** Benchmarks that others can run to verify published figures on their machines. */
package dev.outpost.bench;
