/** The checks of an engine by itself: beside the reference engine, and its speed. */
package dev.outpost.gpucheck.engine;
