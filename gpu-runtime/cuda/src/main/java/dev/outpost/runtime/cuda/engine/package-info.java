/** The engine {@code cuda}: instructions become kernels in a GPU's queue. */
package dev.outpost.runtime.cuda.engine;
