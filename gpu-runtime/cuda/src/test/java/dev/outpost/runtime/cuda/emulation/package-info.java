/** An emulated GPU: kernels are compiled as C, with coroutines as threads, and all calls are recorded. */
package dev.outpost.runtime.cuda.emulation;
