/** A machine's report for profiles of a session: the steps of its worker, and their times by the machine's clock. */
package dev.outpost.protocol.trace;
