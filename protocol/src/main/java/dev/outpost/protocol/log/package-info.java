/** The log of what a session records, sends, receives and runs. */
@NullMarked
package dev.outpost.protocol.log;

import org.jspecify.annotations.NullMarked;
