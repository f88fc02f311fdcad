package dev.outpost.backend;

import jakarta.inject.Singleton;
import java.net.URI;

/** Where the runners of jobs reach this backend. */
@Singleton
final class RunnerAddress {
    private final BackendConfig config;
    private volatile URI own;

    RunnerAddress(BackendConfig config) {
        this.config = config;
    }

    /** The backend serves there. */
    void served(URI address) {
        own = address;
    }

    URI uri() {
        return config.jobs()
                .address()
                .map(URI::create)
                .orElseGet(() -> own == null ? URI.create("http://127.0.0.1:" + config.port()) : own);
    }
}
