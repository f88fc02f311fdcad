/** The questions to members of a group of machines, and the messages between the members. */
@NullMarked
package dev.outpost.protocol.peer;

import org.jspecify.annotations.NullMarked;
