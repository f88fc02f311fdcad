/** The parts of {@code gpu-check}: their questions, their time, and the record of which have run. */
package dev.outpost.gpucheck.part;
