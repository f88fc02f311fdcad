/** Differentiation: gradients of tensors, switches for recording them, and functions with user-defined gradients. */
@NullMarked
package dev.outpost.autograd;

import org.jspecify.annotations.NullMarked;
