/**
 * Optimizers, as in PyTorch's {@code torch.optim}, and clipping of gradients. Schedules of learning rates are those of
 * {@code torch.optim.lr_scheduler}, averages of weights those of {@code torch.optim.swa_utils}.
 */
@NullMarked
package dev.outpost.optim;

import org.jspecify.annotations.NullMarked;
