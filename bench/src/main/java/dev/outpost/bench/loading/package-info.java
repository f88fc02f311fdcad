/** The speed of loading weights from a store, compared with plain requests to the same store. */
package dev.outpost.bench.loading;
