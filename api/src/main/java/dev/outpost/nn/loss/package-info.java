/** Losses beyond those of {@code dev.outpost.nn}, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.loss;

import org.jspecify.annotations.NullMarked;
