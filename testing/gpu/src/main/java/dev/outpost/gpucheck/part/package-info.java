/** The parts of {@code gpu-check}: their questions, their times, and the records of their runs. */
package dev.outpost.gpucheck.part;
