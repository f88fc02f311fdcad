/** Serving: continuous batching beside static batching and one request at a time. */
package dev.outpost.bench.serving;
