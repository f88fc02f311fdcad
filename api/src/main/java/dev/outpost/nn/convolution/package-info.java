/** Convolutions of lines and images, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.convolution;

import org.jspecify.annotations.NullMarked;
