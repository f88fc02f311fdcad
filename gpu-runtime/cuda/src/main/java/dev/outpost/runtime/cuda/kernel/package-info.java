/** The kernels of the ops: their sources, and how they are launched. */
package dev.outpost.runtime.cuda.kernel;
