/** A pack: one archive with everything that {@code gpu-check} needs, including a Java runtime. */
package dev.outpost.gpucheck.pack;
