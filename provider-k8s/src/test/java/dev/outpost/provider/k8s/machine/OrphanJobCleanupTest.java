package dev.outpost.provider.k8s.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.k8s.MachineObjects;
import dev.outpost.provider.k8s.MockApi;
import dev.outpost.provider.k8s.Quick;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.desired.SuspendedJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrphanJobCleanupTest {
    /** The mock itself sets the creation time of an object. */
    private static final Instant SOON = Instant.now().plusSeconds(60);

    private static final Instant LATER = SOON.plus(Duration.ofMinutes(10));

    private final MockApi api = MockApi.start();
    private final KubernetesClient client = api.client();

    private Cluster cluster;

    @BeforeEach
    void open() {
        cluster = Quick.cluster(client);
    }

    @AfterEach
    void closeApi() {
        api.close();
    }

    @Test
    void liveMachineIsKept() {
        Job job = create(MachineObjects.job());
        create(MachineObjects.secret(job));
        create(MachineObjects.service(job));
        create(MachineObjects.running(MachineObjects.ID, true));
        assertEquals(List.of(), sweep(LATER));
        assertEquals(1, jobs());
    }

    @Test
    void aMachineThatHasEndedIsRemoved() {
        create(MachineObjects.secret(create(MachineObjects.ended(MachineObjects.job(), "Failed", SOON))));
        assertEquals(List.of("Job " + MachineObjects.ID + ": it has ended"), sweep(SOON));
        assertEquals(0, jobs());
    }

    @Test
    void aJobIsHeldForSomeMinutesBeforeItIsGivenUp() {
        create(SuspendedJob.of(MachineObjects.job()));
        assertEquals(List.of(), sweep(SOON));
        assertEquals(List.of("Job " + MachineObjects.ID + ": its client was gone before it had a key"), sweep(LATER));
        assertEquals(0, jobs());
    }

    /** Its Secret is deleted with it. */
    @Test
    void aJobThatHasItsKeyAndWasNotLetRunIsGivenUpToo() {
        create(MachineObjects.secret(create(SuspendedJob.of(MachineObjects.job()))));
        assertEquals(List.of(), sweep(SOON));
        assertEquals(List.of("Job " + MachineObjects.ID + ": its client was gone before it had a key"), sweep(LATER));
    }

    /**
     * The present time is taken from the Job of a start, so a Job that another client has just made does not seem old because of a wrong
     * local clock.
     */
    @Test
    void clockOfThisHostDoesNotMatter() {
        create(SuspendedJob.of(MachineObjects.job("outpost-other")));
        Job own = create(SuspendedJob.of(MachineObjects.job()));
        OrphanJobCleanup.of(cluster, own).run();
        assertEquals(2, jobs());
        own.getMetadata().setCreationTimestamp(LATER.toString());
        OrphanJobCleanup.of(cluster, own).run();
        assertEquals(0, jobs());
    }

    /** The client of the machine may still use it; no other client can attach to it. */
    @Test
    void machineWithoutItsSecretIsKept() {
        create(MachineObjects.job());
        create(MachineObjects.running(MachineObjects.ID, true));
        assertEquals(List.of(), sweep(LATER));
    }

    @Test
    void objectsOfADeletedJobAreRemoved() {
        Job gone = MachineObjects.job();
        create(MachineObjects.secret(gone));
        create(MachineObjects.service(gone));
        assertEquals(
                List.of(
                        "Secret " + MachineObjects.ID + ": its Job is gone",
                        "Service " + MachineObjects.ID + ": its Job is gone"),
                sweep(SOON));
        assertEquals(List.of(), sweep(SOON));
    }

    @Test
    void claimsOfALiveMachineAreKept() {
        Job job = create(MachineObjects.job());
        create(MachineObjects.claimTemplate(job));
        create(MachineObjects.claim(create(MachineObjects.running(MachineObjects.ID, true))));
        assertEquals(List.of(), sweep(LATER));
        assertEquals(1, count(ResourceClaimTemplate.class));
        assertEquals(1, count(ResourceClaim.class));
    }

    @Test
    void claimsWhoseOwnersAreGoneAreRemoved() {
        create(MachineObjects.claimTemplate(MachineObjects.job()));
        ResourceClaim claim = create(MachineObjects.claim(MachineObjects.running(MachineObjects.ID, true)));
        assertEquals(
                List.of(
                        "ResourceClaimTemplate " + MachineObjects.ID + ": its Job is gone",
                        "ResourceClaim " + claim.getMetadata().getName() + ": its Pod is gone"),
                sweep(SOON));
        assertEquals(0, count(ResourceClaimTemplate.class));
        assertEquals(0, count(ResourceClaim.class));
        assertEquals(List.of(), sweep(SOON));
    }

    /** 404 by a cluster that does not serve the API, 403 for a user with an older Role. */
    @ParameterizedTest
    @ValueSource(ints = {HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_FORBIDDEN})
    void claimsThatCannotBeListedAreLeft(int code) {
        for (String resource : List.of("resourceclaims", "resourceclaimtemplates")) {
            api.server()
                    .expect()
                    .get()
                    .withPath("/apis/resource.k8s.io/v1/namespaces/test/" + resource + "?labelSelector="
                            + "app.kubernetes.io%2Fname%3Doutpost-machine%2Capp.kubernetes.io%2Fmanaged-by%3Doutpost")
                    .andReturn(code, "")
                    .always();
        }
        create(MachineObjects.secret(MachineObjects.job()));
        assertEquals(List.of("Secret " + MachineObjects.ID + ": its Job is gone"), sweep(SOON));
    }

    @Test
    void foreignObjectsAreKept() {
        Job job = MachineObjects.ended(MachineObjects.job("somebody-elses"), "Failed", SOON);
        job.getMetadata().setLabels(null);
        create(job);
        assertEquals(List.of(), sweep(LATER));
        assertEquals(1, jobs());
    }

    private List<String> sweep(Instant now) {
        return OrphanJobCleanup.of(cluster, now).run();
    }

    private <T extends HasMetadata> T create(T object) {
        return client.resource(object).inNamespace("test").create();
    }

    private int jobs() {
        return count(Job.class);
    }

    private int count(Class<? extends HasMetadata> type) {
        return client.resources(type).inNamespace("test").list().getItems().size();
    }
}
