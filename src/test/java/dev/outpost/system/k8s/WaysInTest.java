package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import java.io.IOException;
import java.net.Socket;
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

    private long forwards() {
        return provided.cluster
                .requests()
                .of(request -> request.path().withSubresource().equals("pods/portforward"));
    }

    private static boolean listens(Endpoint.Remote endpoint) {
        try {
            connect(endpoint);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static void connect(Endpoint.Remote endpoint) throws IOException {
        new Socket(endpoint.host(), endpoint.port()).close();
    }
}
