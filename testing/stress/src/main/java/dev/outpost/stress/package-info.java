/**
 * Races that jcstress repeats many thousand times: concurrent operations of two threads on the handles of a client's ledger, and on a
 * lane. Each class lists the permitted outcomes; all others fail. {@code StressTest} runs them.
 */
package dev.outpost.stress;
