package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.system.realcluster.Scripts;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine that is reached by its pod's address needs no component of its cluster to compute. */
@Tag("real-cluster")
class ComponentFaultsTest {
    private Scripts scripts;
    private Provided provided;

    @BeforeEach
    void open() {
        scripts = Scripts.open();
        provided = Provided.quick();
    }

    @AfterEach
    void close() {
        if (provided != null) {
            provided.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd",
                "apiserver",
                "controller-manager",
                "scheduler",
                "containerd",
                "kubelet",
                "kube-proxy",
                "network"
            })
    void computesWhileAComponentIsDead(String component) {
        computes("kill", "start", component);
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcd", "apiserver", "kubelet"})
    void computesWhileAComponentIsFrozen(String component) {
        computes("pause", "resume", component);
    }

    private void computes(String fault, String repair, String component) {
        MachineOptions options = new MachineOptions().option("endpoint", "pod-ip");
        try (RemoteMachine machine = RemoteMachine.of(provided.provider, "A100", options)) {
            scripts.fault(fault, component);
            try {
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            } finally {
                scripts.fault(repair, component);
            }
            provided.await("the API server answers again", this::isReachable);
            assertEquals(12.0, machine.ones(3, 4).sum().itemDouble());
        }
        provided.awaitNothingLeft();
    }

    /** An API server that has just started knows no roles yet, and refuses everything. */
    private boolean isReachable() {
        try {
            provided.cluster
                    .client()
                    .pods()
                    .inNamespace(provided.cluster.namespace())
                    .list();
            return true;
        } catch (KubernetesClientException ignored) {
            return false;
        }
    }
}
