/**
 * Differentiation: gradients of tensors with respect to others, where they are recorded, and functions with gradients of a
 * program's own.
 */
package dev.outpost.autograd;
