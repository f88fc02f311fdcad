/** Averages of weights over training, as in {@code torch.optim.swa_utils}. */
@NullMarked
package dev.outpost.optim.average;

import org.jspecify.annotations.NullMarked;
