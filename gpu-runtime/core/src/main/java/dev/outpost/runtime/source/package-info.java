/** Sources: models behind URIs of any store, limited to the URIs that the runtime may open. */
package dev.outpost.runtime.source;
