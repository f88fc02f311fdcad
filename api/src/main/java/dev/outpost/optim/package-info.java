/** Optimizers, schedules of their learning rate, and clipping of gradients, as in PyTorch's {@code torch.optim}. */
@NullMarked
package dev.outpost.optim;

import org.jspecify.annotations.NullMarked;
