package dev.outpost.system.k8s;

import dev.outpost.simulated.kubernetes.ClusterUnderTest;
import dev.outpost.simulated.kubernetes.TestCluster;

/** The cluster on which this run tests: the system property {@code k8s} chooses between a simulated and a real one. */
final class ChosenCluster {
    private ChosenCluster() {}

    /** A cluster inside this JVM, or with {@code -Dk8s=real} the one that {@code KUBECONFIG} leads to. */
    static ClusterUnderTest open() {
        return isReal() ? KubeconfigCluster.open() : TestCluster.start();
    }

    /** Whether this run is on a real cluster. */
    static boolean isReal() {
        return switch (System.getProperty("k8s", "test")) {
            case "real" -> true;
            case "test" -> false;
            default ->
                throw new IllegalArgumentException(
                        "k8s: expected test or real, got \"" + System.getProperty("k8s") + "\"");
        };
    }
}
