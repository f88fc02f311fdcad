/** The CUDA driver through JCuda: devices, contexts, memory, streams and kernels. */
package dev.outpost.runtime.cuda.driver;
