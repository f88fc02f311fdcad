/** The checks that use a GPU as a machine: through sessions, with tensors, and compared with PyTorch. */
package dev.outpost.gpucheck.machine;
