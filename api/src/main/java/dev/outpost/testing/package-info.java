/** The assertions for tests of programs with tensors. */
@NullMarked
package dev.outpost.testing;

import org.jspecify.annotations.NullMarked;
