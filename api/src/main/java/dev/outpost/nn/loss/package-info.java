/** Losses as modules, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.loss;

import org.jspecify.annotations.NullMarked;
