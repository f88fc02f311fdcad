/** The command {@code gpu-check}: the choice of parts, their findings, and the report. */
package dev.outpost.gpucheck;
