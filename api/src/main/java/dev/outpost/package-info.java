/** The types that every program meets: machines, tensors, scopes, programs, values on this side. */
@NullMarked
package dev.outpost;

import org.jspecify.annotations.NullMarked;
