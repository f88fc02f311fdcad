/** Optimizers, schedules of their learning rate, and clipping of gradients, as in PyTorch's {@code torch.optim}. */
package dev.outpost.optim;
