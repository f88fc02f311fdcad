/** Dropout of whole channels, and dropout that keeps mean and variance, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.dropout;

import org.jspecify.annotations.NullMarked;
