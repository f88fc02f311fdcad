package dev.outpost.provider.k8s.check;

import java.util.List;
import java.util.Objects;

/**
 * The requests that machines will make to a cluster.
 *
 * @param namespace the namespace of the machines
 * @param portForwarding true if they are reached by forwarded ports
 * @param queued true if they wait in a queue of Kueue
 * @param images the images that their nodes pull
 * @param pullSecrets the Secrets with credentials for these images
 * @param gpus the kinds of GPU for which nodes are counted; empty if machines request no GPU
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

    /** Makes the questions for machines that claim no devices. */
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
