/** PyTorch's names and the corresponding calls on tensors, one family for each file. */
package dev.outpost.torch.ops;
