package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.support.tests.Await;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.MachineLostException;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ways to a machine: each leads to the same one, and what breaks on the way is mended. */
@Tag("real-cluster")
class WaysInTest {
    private final Provided provided = Provided.quick();

    @AfterEach
    void close() {
        provided.close();
    }

    @ParameterizedTest
    @CsvSource({"pod-ip, load-balancer", "service, load-balancer", "service, node-port", "port-forward, node-port"})
    void eachLeadsToAMachineThatComputes(String endpoint, String serviceType) {
        provided.levers();
        MachineOptions options =
                new MachineOptions().option("endpoint", endpoint).option("service-type", serviceType);
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, "A100", options)) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
        }
        provided.awaitNothingLeft();
    }

    @Test
    void aForwardedPortLastsAsLongAsItsLease() {
        Lease lease = provided.lease("endpoint", "port-forward");
        Endpoint.Remote endpoint = (Endpoint.Remote) lease.endpoint();
        assertEquals("127.0.0.1", endpoint.host());
        provided.await("somebody listens", () -> listens(endpoint));
        provided.release(lease);
        assertThrows(IOException.class, () -> connect(endpoint));
    }

    @Test
    void eachMachineHasAPortOfItsOwn() {
        Lease first = provided.lease("endpoint", "port-forward");
        Lease second = provided.lease("endpoint", "port-forward");
        assertNotEquals(((Endpoint.Remote) first.endpoint()).port(), ((Endpoint.Remote) second.endpoint()).port());
        provided.release(first);
        provided.release(second);
    }

    /** Earlier results are still there: the session goes on over connections of its own. */
    @Test
    void aForwardThatBreaksIsMadeAgain() {
        MachineOptions forwarded =
                new MachineOptions().option("endpoint", "port-forward").option("lease", "20s");
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, "A100", forwarded)) {
            Tensor ones = machine.ones(2, 3);
            machine.synchronize();
            long forwards = forwards();
            provided.cluster.faults().goAway();
            provided.cluster.faults().comeBack();
            assertEquals(6.0, ones.sum().itemDouble());
            provided.await("it was made again", () -> forwards() > forwards);
        }
        provided.awaitNothingLeft();
    }

    /** The pods of the test cluster have addresses of this host. */
    @Test
    void withoutASettingPodsAreReachedDirectlyWhereTheyCanBe() {
        provided.levers();
        MachineOptions unset = new MachineOptions().option("endpoint", "auto").option("lease", "20s");
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, "A100", unset)) {
            Tensor ones = machine.ones(2, 3);
            machine.synchronize();
            assertEquals(0, forwards());
            provided.cluster.faults().goAway();
            assertEquals(6.0, ones.sum().itemDouble(), "no API server is needed");
            provided.cluster.faults().comeBack();
        }
        provided.awaitNothingLeft();
    }

    @Test
    void outageThatIsLongerThanTheLeaseIsTheReasonOfALoss() throws Exception {
        provided.levers();
        Await.withEnoughTime(Duration.ofSeconds(3), this::loseByOutage);
        provided.awaitNothingLeft();
    }

    private void loseByOutage(Duration lease) {
        MachineOptions forwarded =
                new MachineOptions().option("endpoint", "port-forward").option("lease", lease.toString());
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, "A100", forwarded)) {
            Tensor ones = machine.ones(2, 3);
            machine.synchronize();
            provided.cluster.faults().goAway();
            MachineLostException lost;
            try {
                lost = assertThrows(MachineLostException.class, () -> ones.sum().itemDouble());
            } finally {
                provided.cluster.faults().comeBack();
            }
            String message = PlainNames.in(lost.getMessage());
            assertTrue(
                    message.startsWith("k8s-A100: the machine is lost: the API server, which forwards its port, was"
                            + " away for longer than its lease of " + lease.toSeconds()
                            + " s (the API server takes no connections: "),
                    message);
            assertFalse(message.contains("Pipeline"), message);
        }
    }

    /** Machines without a job have no container of that name. */
    @Test
    void patchOfWhatAPodLacksIsSkipped() {
        provided.levers();
        MachineOptions patched = new MachineOptions()
                .option(
                        "patch",
                        "{spec: {template: {spec: {containers: [{name: job, resources: {limits: {memory: 4Gi}}}]}}}}");
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, "A100", patched)) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
        }
        provided.awaitNothingLeft();
    }

    private long forwards() {
        return provided.cluster
                .requests()
                .of(request -> request.path().withSubresource().equals("pods/portforward"));
    }

    private static boolean listens(Endpoint.Remote endpoint) {
        try {
            connect(endpoint);
            return true;
        } catch (IOException ignored) {
            return false;
        }
    }

    private static void connect(Endpoint.Remote endpoint) throws IOException {
        new Socket(endpoint.host(), endpoint.port()).close();
    }
}
