/**
 * The ops of tensors, as interfaces that {@link dev.outpost.Tensor} and {@link dev.outpost.RemoteMachine} implement: each is a
 * family of methods. Also the results of ops that have several, and the choices that ops take.
 */
@NullMarked
package dev.outpost.ops;

import org.jspecify.annotations.NullMarked;
