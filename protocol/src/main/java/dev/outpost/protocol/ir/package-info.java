/** Graphs of instructions in memory. The planner, programs and sharding rewrite them, and {@code tape} encodes them. */
@NullMarked
package dev.outpost.protocol.ir;

import org.jspecify.annotations.NullMarked;
