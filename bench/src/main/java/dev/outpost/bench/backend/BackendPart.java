package dev.outpost.bench.backend;

import java.nio.file.Path;
import java.util.function.BiConsumer;

/** One of the things that are measured. */
interface BackendPart {
    /**
     * Measures it.
     *
     * @param folder empty, and this part's
     * @param figures takes names and values
     */
    void measure(Path folder, BiConsumer<String, Double> figures) throws Exception;
}
