/** Finding, loading and calling the libraries that come with CUDA. */
package dev.outpost.runtime.cuda.library;
