package dev.outpost.bench.generate;

import java.util.Optional;

/** An engine that has loaded the model. */
interface BenchmarkedEngine extends AutoCloseable {
    String name();

    /** Generates greedily. Returns empty if the engine cannot generate that many texts together. */
    Optional<Rates> run(int texts, int promptTokens, int newTokens);

    @Override
    void close();
}
