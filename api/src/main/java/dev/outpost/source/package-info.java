/** Places that a machine reads models from by itself, and the tensors that are stored there. */
@NullMarked
package dev.outpost.source;

import org.jspecify.annotations.NullMarked;
