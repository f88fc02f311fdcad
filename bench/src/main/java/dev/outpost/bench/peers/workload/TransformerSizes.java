package dev.outpost.bench.peers.workload;

/** How large a {@link TransformerModel} is. */
record TransformerSizes(int layers, int width, int heads, int sequence, int vocabulary) {}
