package dev.outpost.provider.k8s.check;

import java.util.List;
import java.util.Objects;

/**
 * The requests that machines will make to a cluster.
 *
 * @param namespace where they live
 * @param portForwarding whether they are reached by forwarded ports
 * @param queued whether they wait in a queue of Kueue
 * @param images what their nodes pull
 * @param pullSecrets the Secrets with credentials for that
 * @param gpus the kinds of GPU that nodes are counted for; none where machines ask for no GPU
 * @param devices the settings for claims of devices
 */
public record ClusterQuestions(
        String namespace,
        boolean portForwarding,
        boolean queued,
        List<String> images,
        List<String> pullSecrets,
        List<GpuKind> gpus,
        DeviceQuestions devices) {

    /** For machines that claim no devices. */
    public ClusterQuestions(
            String namespace,
            boolean portForwarding,
            boolean queued,
            List<String> images,
            List<String> pullSecrets,
            List<GpuKind> gpus) {
        this(namespace, portForwarding, queued, images, pullSecrets, gpus, DeviceQuestions.NONE);
    }

    public ClusterQuestions {
        Objects.requireNonNull(namespace, "namespace");
        images = List.copyOf(images);
        pullSecrets = List.copyOf(pullSecrets);
        gpus = List.copyOf(gpus);
        Objects.requireNonNull(devices, "devices");
    }
}
