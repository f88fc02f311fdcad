/**
 * Comparison of engines: cases of every op, and the table of tolerances. The tests of the engines and {@code gpu-check} use it, so nothing
 * here needs a test library.
 */
package dev.outpost.runtime.engine.comparison;
