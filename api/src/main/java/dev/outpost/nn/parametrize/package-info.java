/** Parametrizations of weights, as in {@code torch.nn.utils.parametrizations}. */
@NullMarked
package dev.outpost.nn.parametrize;

import org.jspecify.annotations.NullMarked;
