/**
 * Layers, activations and losses as modules, as in PyTorch's {@code torch.nn}. {@link dev.outpost.nn.Functional} has the functions that
 * they compute ({@code torch.nn.functional}), and {@link dev.outpost.nn.Init} the first values of parameters ({@code torch.nn.init}).
 * {@link dev.outpost.nn.Sequences} packs and pads sequences of different lengths ({@code torch.nn.utils.rnn}).
 *
 * <p>{@link java.lang.Module} has the same simple name as {@link dev.outpost.nn.Module}. A program with {@code import dev.outpost.nn.*;}
 * that uses the name must also have {@code import dev.outpost.nn.Module;}.
 */
@NullMarked
package dev.outpost.nn;

import org.jspecify.annotations.NullMarked;
