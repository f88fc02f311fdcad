/** Data sets, and batches of them in a shuffled order, as in PyTorch's {@code torch.utils.data}. */
@NullMarked
package dev.outpost.data;

import org.jspecify.annotations.NullMarked;
