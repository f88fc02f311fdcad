package dev.outpost.backend.simulation;

/** How many machines of a kind wait in a pool. */
record PoolSize(String gpu, int min, int max) {
    String name() {
        return "warm-" + gpu.toLowerCase(java.util.Locale.ROOT);
    }
}
