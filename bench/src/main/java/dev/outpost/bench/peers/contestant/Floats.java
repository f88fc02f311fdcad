package dev.outpost.bench.peers.contestant;

import java.nio.FloatBuffer;
import java.util.List;

/** Arrays of results. */
final class Floats {
    private Floats() {}

    static float[] concat(List<float[]> parts) {
        FloatBuffer all = FloatBuffer.allocate(
                parts.stream().mapToInt(part -> part.length).sum());
        parts.forEach(all::put);
        return all.array();
    }
}
