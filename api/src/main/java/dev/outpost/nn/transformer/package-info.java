/** Attention with projections, and the layers and stacks of transformers, as in {@code torch.nn}. */
@NullMarked
package dev.outpost.nn.transformer;

import org.jspecify.annotations.NullMarked;
