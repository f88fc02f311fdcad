/** The command {@code gpu-check}: which parts run, what they have found, and what is reported. */
package dev.outpost.gpucheck;
