/** How fast weights come from a store, beside plain requests to the same one. */
package dev.outpost.bench.loading;
