/** The parity pack: calls of ops with PyTorch's answers, and the comparison of other answers with those. */
package dev.outpost.torch;
