/** A pack: what {@code gpu-check} needs, with a runtime of Java, in one archive. */
package dev.outpost.gpucheck.pack;
