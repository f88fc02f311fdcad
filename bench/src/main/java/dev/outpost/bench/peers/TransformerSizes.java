package dev.outpost.bench.peers;

/** How large a {@link TransformerModel} is. */
record TransformerSizes(int layers, int width, int heads, int sequence, int vocabulary) {}
