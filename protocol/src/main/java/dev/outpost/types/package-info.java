/**
 * Dtypes, shapes, scalars, memory layouts, and the exceptions that Outpost throws. Clients and runtimes share them. All classes are
 * immutable and safe for use by several threads.
 */
@NullMarked
package dev.outpost.types;

import org.jspecify.annotations.NullMarked;
