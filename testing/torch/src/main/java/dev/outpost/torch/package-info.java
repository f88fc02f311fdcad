/** The parity pack: calls of ops with PyTorch's answers, and the comparison with other answers. */
package dev.outpost.torch;
