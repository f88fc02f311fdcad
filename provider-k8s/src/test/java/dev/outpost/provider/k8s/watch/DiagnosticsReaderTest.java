package dev.outpost.provider.k8s.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.MachineObjects;
import dev.outpost.provider.k8s.MockApi;
import dev.outpost.provider.k8s.Quick;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.devices.ClaimReport;
import dev.outpost.provider.k8s.devices.Slices;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the requests by which claims of devices are explained. */
class DiagnosticsReaderTest {
    private final MockApi api = MockApi.start();
    private final KubernetesClient client = api.client();
    private final Cluster cluster = Quick.cluster(client);
    private final AtomicLong nanos = new AtomicLong();
    private final DiagnosticsReader reader = new DiagnosticsReader(cluster, Optional.empty(), nanos::get);

    @BeforeEach
    void publish() throws InterruptedException {
        client.resource(Slices.read("h100")).create();
        client.resource(claim(MachineObjects.pending(MachineObjects.ID), "gpu"))
                .inNamespace("test")
                .create();
        client.resource(claim(MachineObjects.pending("outpost-other"), "gpu"))
                .inNamespace("test")
                .create();
        requests();
    }

    @AfterEach
    void close() {
        cluster.close();
        api.close();
    }

    private static Pod claiming(Pod pod) {
        return new PodBuilder(pod)
                .editSpec()
                .addNewResourceClaim()
                .withName("gpu")
                .withResourceClaimTemplateName(MachineObjects.ID)
                .endResourceClaim()
                .endSpec()
                .build();
    }

    /** @param name the name of the claim in its pod */
    private static ResourceClaim claim(Pod owner, String name) {
        return new ResourceClaimBuilder(MachineObjects.claim(owner))
                .editMetadata()
                .withName(owner.getMetadata().getName() + "-" + name)
                .addToAnnotations("resource.kubernetes.io/pod-claim-name", name)
                .endMetadata()
                .withNewSpec()
                .withNewDevices()
                .addNewRequest()
                .withName(name)
                .withNewExactly()
                .withDeviceClassName("class-of-" + name)
                .endExactly()
                .endRequest()
                .endDevices()
                .endSpec()
                .build();
    }

    private Optional<ClaimReport> read(Pod pod) {
        return reader.read(ObservedMachine.of(MachineObjects.job(), pod, MachineObjects.CREATED))
                .claims();
    }

    /** The paths of the requests for slices and claims since the last call. */
    private List<String> requests() throws InterruptedException {
        List<String> paths = new ArrayList<>();
        RecordedRequest request = api.server().takeRequest(0, TimeUnit.SECONDS);
        while (request != null) {
            if (request.getPath().contains("/resource.k8s.io/")) {
                paths.add(request.getPath());
            }
            request = api.server().takeRequest(0, TimeUnit.SECONDS);
        }
        return paths;
    }

    private static long count(List<String> requests, String opening) {
        return requests.stream().filter(path -> path.startsWith(opening)).count();
    }

    @Test
    void devicesOfTheClusterAreReadOnceInHalfAMinute() throws InterruptedException {
        for (int repetition = 0; repetition < 3; repetition++) {
            assertTrue(read(claiming(MachineObjects.pending(MachineObjects.ID)))
                    .orElseThrow()
                    .supply()
                    .isPresent());
        }
        List<String> first = requests();
        assertEquals(1, count(first, "/apis/resource.k8s.io/v1/resourceslices"), first::toString);
        assertEquals(
                1,
                first.stream().filter(path -> path.endsWith("/resourceclaims")).count(),
                first::toString);
        nanos.addAndGet(Duration.ofSeconds(30).toNanos());
        read(claiming(MachineObjects.pending(MachineObjects.ID)));
        List<String> later = requests();
        assertEquals(1, count(later, "/apis/resource.k8s.io/v1/resourceslices"), later::toString);
    }

    @Test
    void aPodWithANodeNeedsOnlyItsOwnClaims() throws InterruptedException {
        ClaimReport report =
                read(claiming(MachineObjects.running(MachineObjects.ID, false))).orElseThrow();
        assertEquals(Optional.empty(), report.supply());
        assertEquals("class-of-gpu", report.kinds().getFirst().deviceClass());
        List<String> requests = requests();
        assertEquals(1, requests.size(), requests::toString);
        assertTrue(requests.getFirst().contains("labelSelector"), requests::toString);
    }

    @Test
    void nothingIsReadOnceThePodIsReadyOrHasEnded() throws InterruptedException {
        assertFalse(
                read(claiming(MachineObjects.running(MachineObjects.ID, true))).isPresent());
        assertFalse(read(claiming(MachineObjects.exited(MachineObjects.ID, 1, "no engine")))
                .isPresent());
        assertFalse(read(MachineObjects.pending(MachineObjects.ID)).isPresent());
        assertEquals(List.of(), requests());
    }

    /** A user's patch may let the pod claim other devices. */
    @Test
    void otherClaimsOfThePodAreIgnored() {
        client.resource(claim(MachineObjects.pending(MachineObjects.ID), "network"))
                .inNamespace("test")
                .create();
        ClaimReport report =
                read(claiming(MachineObjects.pending(MachineObjects.ID))).orElseThrow();
        assertEquals(
                List.of("class-of-gpu"),
                report.kinds().stream().map(kind -> kind.deviceClass()).toList());
    }
}
