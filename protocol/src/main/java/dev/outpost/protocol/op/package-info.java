/** The op table: of each op its code, operands, attributes, and the rule for the shapes and dtypes of its results. */
@NullMarked
package dev.outpost.protocol.op;

import org.jspecify.annotations.NullMarked;
