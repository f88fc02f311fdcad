package dev.outpost.system.backend.job;

import dev.outpost.system.backend.host.BackendHost;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests jobs that are processes beside runtimes on the backend's host. */
class JobTest extends JobContract {
    private BackendHost host;
    private BackendHost backend;

    @BeforeAll
    void start() {
        host = BackendHost.start(folder.resolve("backend"), "OUTPOST_BACKEND_OBSERVE_EVERY", "1s");
        backend = host.tenant("acme");
    }

    @AfterAll
    void stop() {
        host.close();
    }

    @Override
    BackendHost backend() {
        return backend;
    }

    @Override
    String gpu() {
        return "any";
    }
}
