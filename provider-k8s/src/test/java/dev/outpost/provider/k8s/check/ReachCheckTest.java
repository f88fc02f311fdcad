package dev.outpost.provider.k8s.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.k8s.MachineObjects;
import dev.outpost.provider.k8s.MockApi;
import dev.outpost.provider.k8s.config.SettingsReader;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReachCheckTest {
    private static final String FORWARDED =
            "port-forward through the API server: an outage of it of more than 1 min (outpost.k8s.lease) loses the machine";

    private final MockApi api = MockApi.start();

    @AfterEach
    void close() {
        api.close();
    }

    private String way(boolean isInCluster, boolean answers, String endpoint) {
        ClusterFinding found = new ReachCheck(
                        api.client(), "test", SettingsReader.of(Map.of("endpoint", endpoint)), (host, port) -> {
                            assertEquals("10.0.0.7:50051", host + ":" + port);
                            return answers;
                        })
                .run(isInCluster);
        assertEquals(ClusterFinding.State.OK, found.state());
        return found.sentence();
    }

    private void run() {
        api.client()
                .resource(new PodBuilder(MachineObjects.running(MachineObjects.ID, true))
                        .editStatus()
                        .withPodIP("10.0.0.7")
                        .endStatus()
                        .build())
                .inNamespace("test")
                .create();
    }

    @Test
    void machineThatRunsShowsTheWay() {
        run();
        assertEquals(
                "pod-ip, without the API server: " + MachineObjects.ID + " answers at 10.0.0.7:50051",
                way(false, true, "auto"));
        assertEquals(
                FORWARDED + "; pods are not reached from here: " + MachineObjects.ID
                        + " does not answer at 10.0.0.7:50051",
                way(false, false, "auto"));
    }

    @Test
    void withoutAMachineItIsNotKnown() {
        assertEquals(
                "pod-ip where this host reaches pods, which is tried with each machine; else " + FORWARDED,
                way(false, true, "auto"));
    }

    @Test
    void wayThatIsSetIsToldOf() {
        assertEquals(FORWARDED, way(false, true, "port-forward"));
        assertEquals("service, without the API server", way(false, true, "service"));
        assertEquals("pod-ip, without the API server", way(true, true, "auto"));
    }
}
