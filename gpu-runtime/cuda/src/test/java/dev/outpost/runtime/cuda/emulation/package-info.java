/** A GPU that is none: kernels compiled as C, with coroutines for threads, and everything recorded. */
package dev.outpost.runtime.cuda.emulation;
