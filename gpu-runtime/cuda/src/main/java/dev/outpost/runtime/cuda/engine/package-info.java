/** The engine {@code cuda}: compiles instructions to kernels and runs them in a GPU's queue. */
package dev.outpost.runtime.cuda.engine;
