package dev.outpost.runtime.server;

import jakarta.inject.Singleton;
import java.util.concurrent.atomic.LongAdder;

/** Counts calls without a valid token, over gRPC and REST. */
@Singleton
final class AuthFailureCounter {
    private final LongAdder refused = new LongAdder();

    void count() {
        refused.increment();
    }

    long total() {
        return refused.sum();
    }
}
