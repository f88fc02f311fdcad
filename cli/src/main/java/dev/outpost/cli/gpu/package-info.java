/** What {@code gpu-check} asks of a GPU as a machine: through sessions, by tensors, and beside PyTorch. */
package dev.outpost.cli.gpu;
