/** The types that every program uses: machines, tensors, scopes, programs, and values in the memory of the client. */
@NullMarked
package dev.outpost;

import org.jspecify.annotations.NullMarked;
