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
 * real cluster works with this interface: there, the methods for a test cluster only abort the test with the reason.
 */
public interface ClusterUnderTest extends AutoCloseable {
    /** For the test's own looks at the cluster; meets no faults. */
    KubernetesClient client();

    /** How to reach the cluster, as a client would that a test is about. */
    Config config();

    /** Writes a file that code which reads a kubeconfig can use. */
    Path kubeconfig(Path file);

    /** The namespace in which the test works. */
    String namespace();

    /** The options of a provider beyond where the cluster is, by their names. */
    Map<String, String> options();

    // ---- in a test cluster only

    /** Makes the API fail. */
    ApiFaults faults();

    /** Makes pods fail. */
    PodFaults pods();

    /** The requests of clients. */
    RequestCounts requests();

    /** How many objects of a kind, such as {@code jobs}, were ever made. */
    long made(String resource);

    @Override
    void close();
}
