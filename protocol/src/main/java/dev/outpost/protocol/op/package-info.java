/** The op table: the code, operands and attributes of each op, and the rule for the shapes and dtypes of its results. */
@NullMarked
package dev.outpost.protocol.op;

import org.jspecify.annotations.NullMarked;
