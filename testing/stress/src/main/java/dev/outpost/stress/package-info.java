/**
 * Races that jcstress repeats many thousand times: what two threads may do to the handles of a client's ledger, and to a lane. Each
 * class says which outcomes there may be; all others fail. {@code StressTest} runs them.
 */
package dev.outpost.stress;
