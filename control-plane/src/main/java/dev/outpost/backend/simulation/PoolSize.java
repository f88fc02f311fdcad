package dev.outpost.backend.simulation;

/** The bounds on the number of waiting machines of a kind in a pool. */
record PoolSize(String gpu, int min, int max) {
    String name() {
        return "warm-" + gpu.toLowerCase(java.util.Locale.ROOT);
    }
}
