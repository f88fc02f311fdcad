/** Tables of a module's layers: shapes, parameters and memory. */
@NullMarked
package dev.outpost.nn.summary;

import org.jspecify.annotations.NullMarked;
