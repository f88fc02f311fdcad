/**
 * Dtypes, shapes, scalars, memory layouts, and the exceptions that Outpost throws. Clients and runtimes share them; all
 * classes are immutable and safe for use by several threads.
 */
package dev.outpost.types;
