/** Compiles CUDA C to code for a device, by NVRTC. */
package dev.outpost.runtime.cuda.compile;
