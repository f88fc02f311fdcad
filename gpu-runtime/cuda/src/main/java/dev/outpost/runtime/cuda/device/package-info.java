/** The calls of the engine to a GPU and its libraries; another package, or a test, implements them. */
package dev.outpost.runtime.cuda.device;
