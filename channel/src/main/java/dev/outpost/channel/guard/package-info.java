/** Bounds of the connections that HTTP servers accept. */
@NullMarked
package dev.outpost.channel.guard;

import org.jspecify.annotations.NullMarked;
