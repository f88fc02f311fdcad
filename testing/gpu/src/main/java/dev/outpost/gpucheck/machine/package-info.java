/** The checks that use a GPU as a machine: through sessions, by tensors, and beside PyTorch. */
package dev.outpost.gpucheck.machine;
