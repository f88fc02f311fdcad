/** A GPU that is checked, and the result of a check. */
package dev.outpost.gpucheck.gpu;
