/** Activations as modules, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.activation;

import org.jspecify.annotations.NullMarked;
