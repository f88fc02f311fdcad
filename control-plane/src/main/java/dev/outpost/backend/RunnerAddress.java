package dev.outpost.backend;

import jakarta.inject.Singleton;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** The address at which the runners of jobs reach this backend. */
@Singleton
final class RunnerAddress {
    private final BackendConfig config;
    private final Optional<URI> configured;
    private volatile URI own;

    RunnerAddress(BackendConfig config) {
        this.config = config;
        this.configured = config.jobs().address().map(RunnerAddress::parse);
    }

    private static URI parse(String text) {
        URI address = URI.create(text.strip());
        if (address.getHost() == null || !List.of("http", "https").contains(address.getScheme())) {
            throw new IllegalArgumentException(
                    "OUTPOST_BACKEND_JOBS_ADDRESS: expected an address such as https://gpu.example.org, got \"" + text
                            + "\"");
        }
        return address;
    }

    /** Sets the address at which the backend serves. */
    void served(URI address) {
        own = address;
    }

    URI uri() {
        return configured.orElseGet(() -> own == null ? URI.create("http://127.0.0.1:" + config.port()) : own);
    }
}
