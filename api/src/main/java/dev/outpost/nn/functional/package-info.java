/** Layers, losses and activations as functions of tensors, as in {@code torch.nn.functional}. */
@NullMarked
package dev.outpost.nn.functional;

import org.jspecify.annotations.NullMarked;
