/**
 * How engines are held to each other: cases of every op, and the one table of tolerances. The tests of the engines use it, and
 * {@code gpu-check}; so nothing here needs a library of tests.
 */
package dev.outpost.runtime.engine.comparison;
