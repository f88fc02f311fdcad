package dev.outpost.provider.k8s.desired;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The fixed parts of pods, as YAML files beside this class. */
final class PodTemplates {
    static final PodSpec MACHINE = read("machine-pod.yaml");
    static final PodSpec JOB = read("job-pod.yaml");

    private PodTemplates() {}

    private static PodSpec read(String name) {
        try (InputStream yaml = Objects.requireNonNull(PodTemplates.class.getResourceAsStream(name), name)) {
            return Serialization.unmarshal(yaml, PodSpec.class);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
