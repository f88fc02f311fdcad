/** Launching kernels: compiled code, arguments, device memory and the order of streams. */
package dev.outpost.runtime.cuda.launch;
