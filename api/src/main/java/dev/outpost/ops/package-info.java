/**
 * The ops of tensors, as interfaces that {@link dev.outpost.Tensor} and {@link dev.outpost.RemoteMachine} implement:
 * each is a family of methods. The package also has the records for ops with several results, and the enums that ops
 * take as arguments.
 */
@NullMarked
package dev.outpost.ops;

import org.jspecify.annotations.NullMarked;
