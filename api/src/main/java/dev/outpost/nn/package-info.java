/**
 * Modules: what holds parameters and computes with them, as in PyTorch's {@code torch.nn}.
 *
 * <p>{@link java.lang.Module} has the same simple name as {@link dev.outpost.nn.Module}. Beside {@code import dev.outpost.nn.*;} a
 * program that names it says {@code import dev.outpost.nn.Module;}, which decides.
 */
@NullMarked
package dev.outpost.nn;

import org.jspecify.annotations.NullMarked;
