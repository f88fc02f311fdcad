/**
 * Layers, activations and losses as modules, as in PyTorch's {@code torch.nn}. {@link dev.outpost.nn.Functional} has the functions that
 * they compute ({@code torch.nn.functional}), and {@link dev.outpost.nn.Init} the first values of parameters ({@code torch.nn.init}).
 * {@link dev.outpost.nn.Sequences} packs and pads sequences of different lengths ({@code torch.nn.utils.rnn}).
 *
 * <p>{@link java.lang.Module} has the same simple name as {@link dev.outpost.nn.Module}. Beside {@code import dev.outpost.nn.*;} a
 * program that names it says {@code import dev.outpost.nn.Module;}, which decides.
 */
@NullMarked
package dev.outpost.nn;

import org.jspecify.annotations.NullMarked;
