/** What tests of programs with tensors need. */
@NullMarked
package dev.outpost.testing;

import org.jspecify.annotations.NullMarked;
