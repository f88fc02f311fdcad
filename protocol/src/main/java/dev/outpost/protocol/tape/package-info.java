/** The wire format of graphs: segments, programs and their arguments. */
@NullMarked
package dev.outpost.protocol.tape;

import org.jspecify.annotations.NullMarked;
