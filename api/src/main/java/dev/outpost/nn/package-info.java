/** Modules: what holds parameters and computes with them, as in PyTorch's {@code torch.nn}. */
package dev.outpost.nn;
