package dev.outpost.simulated.kubernetes;

import dev.outpost.simulated.kubernetes.api.ApiFaults;
import dev.outpost.simulated.kubernetes.api.RequestCounts;
import dev.outpost.simulated.kubernetes.node.PodFaults;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.Map;

/**
 * The cluster of a test, with a namespace for it. {@link TestCluster} is a simulated one. A test that may also run on a
 * real cluster works with this interface: on a real cluster, the methods for simulated clusters abort the test with the reason.
 */
public interface ClusterUnderTest extends AutoCloseable {
    /** Returns a client for the test's own checks of the cluster; it meets no faults. */
    KubernetesClient client();

    /** Returns the connection data for the tested client. */
    Config config();

    /** Writes a kubeconfig. */
    Path kubeconfig(Path file);

    /** The namespace in which the test works. */
    String namespace();

    /** The options of a provider, by their names, without the address of the cluster. */
    Map<String, String> options();

    // ---- only for simulated clusters

    /** Makes the API fail. */
    ApiFaults faults();

    /** Makes pods fail. */
    PodFaults pods();

    /** The requests of clients. */
    RequestCounts requests();

    /** Returns how many objects of a kind, such as {@code jobs}, were ever made. */
    long made(String resource);

    @Override
    void close();
}
