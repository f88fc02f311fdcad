/** Convolutions of volumes and transposed convolutions, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.convolution;

import org.jspecify.annotations.NullMarked;
