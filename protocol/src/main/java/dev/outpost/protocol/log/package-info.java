/** The log of the instructions and messages of a session. */
@NullMarked
package dev.outpost.protocol.log;

import org.jspecify.annotations.NullMarked;
