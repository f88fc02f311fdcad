/** Data sets, and batches of them in a shuffled order, as in PyTorch's {@code torch.utils.data}. */
package dev.outpost.data;
