/**
 * Differentiation: gradients of tensors with respect to others, where they are recorded, and functions with gradients of a
 * program's own.
 */
@NullMarked
package dev.outpost.autograd;

import org.jspecify.annotations.NullMarked;
