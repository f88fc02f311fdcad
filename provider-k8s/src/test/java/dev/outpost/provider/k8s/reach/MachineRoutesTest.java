package dev.outpost.provider.k8s.reach;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.k8s.MockApi;
import dev.outpost.provider.k8s.config.AccessMode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MachineRoutesTest {
    private final MockApi api = MockApi.start();
    private final KubernetesClient client = api.client();

    @AfterEach
    void closeApi() {
        api.close();
    }

    @Test
    void autoIsThePodsAddressWithinTheClusterOnly() {
        assertEquals(AccessMode.POD_IP, MachineRoutes.chosen(AccessMode.AUTO, true));
        assertEquals(AccessMode.PORT_FORWARD, MachineRoutes.chosen(AccessMode.AUTO, false));
    }

    @Test
    void configuredAccessModeIsUsed() {
        assertEquals(AccessMode.SERVICE, MachineRoutes.chosen(AccessMode.SERVICE, true));
        assertEquals(AccessMode.POD_IP, MachineRoutes.chosen(AccessMode.POD_IP, false));
    }

    @Test
    void aPodIsReachedAtItsSessionPort() {
        assertEquals(Optional.of(new Address("10.0.0.7", 50051)), open(AccessMode.POD_IP, pod("10.0.0.7", "other", 1)));
        assertEquals(
                Optional.of(new Address("fd00::7", 4711)), open(AccessMode.POD_IP, pod("fd00::7", "session", 4711)));
    }

    @Test
    void aPodWithoutAnAddressIsNotReachedYet() {
        assertEquals(Optional.empty(), open(AccessMode.POD_IP, pod(null, "session", 50051)));
    }

    @Test
    void aServiceThatIsNotThereIsWaitedFor() {
        assertEquals(Optional.empty(), open(AccessMode.SERVICE, pod("10.0.0.7", "session", 50051)));
    }

    private Optional<MachineRoute> open(AccessMode accessMode, Pod pod) {
        return new MachineRoutes(client, "test").open(accessMode, "outpost-t4-1", pod);
    }

    private static Pod pod(String ip, String portName, int port) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("outpost-t4-1-abcde")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .addNewPort()
                .withName(portName)
                .withContainerPort(port)
                .endPort()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPodIP(ip)
                .endStatus()
                .build();
    }
}
