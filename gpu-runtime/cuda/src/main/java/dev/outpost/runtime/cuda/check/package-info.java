/** Whether CUDA works on this machine, and what to do where it does not. */
package dev.outpost.runtime.cuda.check;
