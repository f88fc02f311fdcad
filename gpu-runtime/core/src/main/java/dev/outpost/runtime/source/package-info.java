/** Where a runtime reads models from: sources behind URIs, whatever store they are in, within what the runtime may open. */
package dev.outpost.runtime.source;
