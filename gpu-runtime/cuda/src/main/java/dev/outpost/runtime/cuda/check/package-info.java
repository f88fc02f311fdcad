/** Checks that CUDA works on this machine, with remedies for problems. */
package dev.outpost.runtime.cuda.check;
