/** The part of {@code gpu-check} that uses a GPU as a machine: through sessions, by tensors, and beside PyTorch. */
package dev.outpost.cli.gpu;
