/** Rearrangements of channels and pixels, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.image;

import org.jspecify.annotations.NullMarked;
