/** The interfaces to a GPU and its libraries that the engine calls. Another package, or a test, implements them. */
package dev.outpost.runtime.cuda.device;
