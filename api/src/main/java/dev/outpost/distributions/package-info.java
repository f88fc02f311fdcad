/** Probability distributions over tensors, as in {@code torch.distributions}. */
@NullMarked
package dev.outpost.distributions;

import org.jspecify.annotations.NullMarked;
