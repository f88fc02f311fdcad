/** Normalization over groups of channels, over single samples, and over neighbouring channels, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.norm;

import org.jspecify.annotations.NullMarked;
