/** Activations as modules, as in {@code torch.nn}; the most common ones are in {@code dev.outpost.nn}. */
@NullMarked
package dev.outpost.nn.activation;

import org.jspecify.annotations.NullMarked;
