/** Normalization over batches, layers and groups of channels, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.norm;

import org.jspecify.annotations.NullMarked;
