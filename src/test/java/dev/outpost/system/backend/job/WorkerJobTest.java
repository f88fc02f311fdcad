package dev.outpost.system.backend.job;

import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.WorkerProcess;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Tests jobs that are processes beside runtimes on a host that has joined. */
@Tag("full")
class WorkerJobTest extends JobContract {
    private BackendHost backend;
    private WorkerProcess worker;

    @BeforeAll
    void start() {
        backend = BackendHost.start(
                folder.resolve("backend"),
                "OUTPOST_BACKEND_OBSERVE_EVERY",
                "1s",
                "OUTPOST_BACKEND_LOCAL_ENABLED",
                "false");
        backend.client().put("/v1/clusters/lab", Map.of("provider", "worker"));
        String code = backend.client()
                .post("/v1/clusters/lab:pair", Map.of())
                .path("code")
                .asText();
        worker = WorkerProcess.start(backend.access().address().toString(), folder.resolve("worker"), code);
    }

    @AfterAll
    void stop() {
        try (BackendHost ending = backend) {
            worker.close();
        }
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
