/** The checks of an engine alone: the comparison with the reference engine, and its speed. */
package dev.outpost.gpucheck.engine;
