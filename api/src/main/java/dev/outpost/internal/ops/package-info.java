/**
 * Helpers that the methods of {@code dev.outpost.ops} share: compositions of several ops, and checks of arguments.
 */
package dev.outpost.internal.ops;
