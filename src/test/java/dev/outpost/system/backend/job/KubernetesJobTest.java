package dev.outpost.system.backend.job;

import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.TwoClusters;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Tests jobs that are containers beside that of the runtime in pods of a cluster. */
@Tag("full")
class KubernetesJobTest extends JobContract {
    private TwoClusters clusters;

    @BeforeAll
    void start() {
        clusters = TwoClusters.start(folder);
        clusters.east.runWith(new JobPodRunner());
        clusters.set("east", "ACTIVE");
    }

    @AfterAll
    void stop() {
        clusters.close();
    }

    @Override
    BackendHost backend() {
        return clusters.backend;
    }

    @Override
    String gpu() {
        return "A100";
    }
}
