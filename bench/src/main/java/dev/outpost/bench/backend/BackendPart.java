package dev.outpost.bench.backend;

import java.nio.file.Path;
import java.util.function.BiConsumer;

/** One part of the backend's measurements. */
interface BackendPart {
    /**
     * Measures this part.
     *
     * @param folder an empty folder for this part
     * @param figures receives names and values
     */
    void measure(Path folder, BiConsumer<String, Double> figures) throws Exception;
}
