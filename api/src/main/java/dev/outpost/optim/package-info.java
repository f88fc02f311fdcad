/**
 * Optimizers, as in PyTorch's {@code torch.optim}, and clipping of gradients. The package also has the schedules of
 * learning rates of {@code torch.optim.lr_scheduler} and the averages of weights of {@code torch.optim.swa_utils}.
 */
@NullMarked
package dev.outpost.optim;

import org.jspecify.annotations.NullMarked;
