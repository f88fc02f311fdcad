/** Matrix products on a device, by cuBLASLt. */
package dev.outpost.runtime.cuda.blas;
