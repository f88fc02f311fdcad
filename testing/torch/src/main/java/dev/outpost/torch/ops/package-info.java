/** PyTorch's names and the calls on tensors that answer them, one family a file. */
package dev.outpost.torch.ops;
