/** Sources from which a machine reads models directly, and the tensors that are stored there. */
@NullMarked
package dev.outpost.source;

import org.jspecify.annotations.NullMarked;
