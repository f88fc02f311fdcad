/**
 * How engines are held to each other: cases of every op, and the one table of tolerances. No test code, since a machine
 * whose GPU is to be checked has no tests.
 */
package dev.outpost.runtime.engine.comparison;
