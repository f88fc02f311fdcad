package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.Endpoint;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests Services, as they are reached from outside. */
class ServicesTest {
    private final TestCluster cluster = TestCluster.start();
    private final SampleMachine machine = new SampleMachine(cluster.client());

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void aLoadBalancerLeadsToThePod() {
        machine.start();
        machine.ready();
        make("LoadBalancer");
        String address = ClusterAwait.present(
                "it has an address",
                () -> service().getStatus().getLoadBalancer().getIngress().stream()
                        .map(ingress -> ingress.getIp())
                        .findFirst());
        assertComputes(address, 8443);
    }

    @Test
    void aNodePortLeadsToThePod() {
        machine.start();
        String node = machine.ready().getStatus().getHostIP();
        make("NodePort");
        ClusterAwait.until(
                "it has a port", () -> service().getSpec().getPorts().getFirst().getNodePort() != null);
        assertComputes(node, service().getSpec().getPorts().getFirst().getNodePort());
    }

    @Test
    void aServiceThatIsGoneLeadsNowhere() {
        make("NodePort");
        ClusterAwait.until(
                "it has a port", () -> service().getSpec().getPorts().getFirst().getNodePort() != null);
        int port = service().getSpec().getPorts().getFirst().getNodePort();
        String address = cluster.config().getMasterUrl().replaceAll("http://(.*):.*", "$1");
        cluster.client().services().withName(SampleMachine.NAME).delete();
        ClusterAwait.until("nobody listens", () -> !listens(address, port));
        assertThrows(IOException.class, () -> new Socket(address, port).close());
    }

    private static boolean listens(String address, int port) {
        try (Socket socket = new Socket(address, port)) {
            return true;
        } catch (IOException ignored) {
            return false;
        }
    }

    private void make(String type) {
        cluster.client()
                .resource(new ServiceBuilder()
                        .withNewMetadata()
                        .withName(SampleMachine.NAME)
                        .endMetadata()
                        .withNewSpec()
                        .withType(type)
                        .addToSelector("app", "outpost")
                        .addNewPort()
                        .withName("session")
                        .withPort(8443)
                        .withTargetPort(new IntOrString("session"))
                        .endPort()
                        .endSpec()
                        .build())
                .serverSideApply();
    }

    private Service service() {
        return cluster.client().services().withName(SampleMachine.NAME).get();
    }

    private void assertComputes(String host, int port) {
        Endpoint.Remote endpoint = new Endpoint.Remote(
                host, port, machine.key().pin(), machine.key().secret());
        try (RemoteMachine remote = RemoteMachine.connect(endpoint, new MachineOptions())) {
            assertEquals(6.0, remote.ones(2, 3).sum().itemDouble());
        }
    }
}
