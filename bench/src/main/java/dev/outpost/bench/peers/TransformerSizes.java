package dev.outpost.bench.peers;

/** How large a {@link Transformer} is. */
record TransformerSizes(int layers, int width, int heads, int sequence, int vocabulary) {}
