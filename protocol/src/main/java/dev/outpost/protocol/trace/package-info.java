/** A machine's report for profiles of a session: the steps of its worker, and their times by the machine's clock. */
@NullMarked
package dev.outpost.protocol.trace;

import org.jspecify.annotations.NullMarked;
