package dev.outpost.system.backend;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Jobs that are processes beside runtimes on the backend's host. */
class JobTest extends JobContract {
    private BackendHost backend;

    @BeforeAll
    void start() {
        backend = SharedBackend.tenant();
    }

    @AfterAll
    void stop() {
        backend.close();
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
