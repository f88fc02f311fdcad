/** Functions of functions: products with Jacobians, Jacobians and Hessians, as in {@code torch.func}. */
@NullMarked
package dev.outpost.functional;

import org.jspecify.annotations.NullMarked;
