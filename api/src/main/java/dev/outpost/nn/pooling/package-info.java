/** Windows of lines and images of which each becomes one element, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.pooling;

import org.jspecify.annotations.NullMarked;
