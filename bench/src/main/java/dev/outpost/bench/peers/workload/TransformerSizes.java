package dev.outpost.bench.peers.workload;

/** The sizes of a {@link TransformerModel}. */
record TransformerSizes(int layers, int width, int heads, int sequence, int vocabulary) {}
