/** Further schedules of learning rates, as in {@code torch.optim.lr_scheduler}. */
@NullMarked
package dev.outpost.optim.schedule;

import org.jspecify.annotations.NullMarked;
