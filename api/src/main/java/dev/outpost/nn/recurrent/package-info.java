/** Recurrent layers and their cells, and sequences of different lengths, as in {@code torch.nn} and {@code torch.nn.utils.rnn}. */
@NullMarked
package dev.outpost.nn.recurrent;

import org.jspecify.annotations.NullMarked;
