package dev.outpost.provider.k8s.desired;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The fields of a machine's Job that no patch may change, because everything else relies on them. */
enum ImmutableJobFields {
    KIND("its kind", "a machine is a Job", job -> job.getApiVersion() + " " + job.getKind()),
    NAME("metadata.name", Reasons.FOUND, job -> text(metadata(job).getName())),
    NAMESPACE(
            "metadata.namespace",
            "outpost.k8s.namespace sets it",
            job -> text(metadata(job).getNamespace())),
    LABELS("metadata.labels", Reasons.FOUND, job -> ours(metadata(job))),
    POD_LABELS("the pod's metadata.labels", Reasons.FOUND, job -> ours(podMetadata(job))),
    PARALLELISM("spec.parallelism", Reasons.ONE_POD, job -> text(spec(job).getParallelism())),
    COMPLETIONS("spec.completions", Reasons.ONE_POD, job -> text(spec(job).getCompletions())),
    BACKOFF_LIMIT("spec.backoffLimit", Reasons.ONE_POD, job -> text(spec(job).getBackoffLimit())),
    RESTART_POLICY("the pod's restartPolicy", Reasons.ONE_POD, job -> text(pod(job).getRestartPolicy())),
    DEADLINE(
            "spec.activeDeadlineSeconds",
            "outpost.k8s.maximum-lifetime sets it",
            job -> text(spec(job).getActiveDeadlineSeconds())),
    TTL(
            "spec.ttlSecondsAfterFinished",
            "outpost.k8s.ttl-after-finished sets it",
            job -> text(spec(job).getTtlSecondsAfterFinished())),
    KEY_VOLUME("the volume " + MachinePod.KEY, Reasons.KEY, ImmutableJobFields::keyVolume),
    KEY_MOUNT("the mount at " + MachineContainer.KEY_FOLDER, Reasons.KEY, ImmutableJobFields::keyMount),
    KEY_FILES("the variables that name the machine's key", Reasons.KEY, ImmutableJobFields::keyFiles),
    PORTS(
            "the ports " + MachineContainer.SESSION + " and " + MachineContainer.MANAGEMENT,
            Reasons.REACHED,
            ImmutableJobFields::ports);

    private final String what;
    private final String reason;
    private final Function<Job, String> value;

    ImmutableJobFields(String what, String reason, Function<Job, String> value) {
        this.what = what;
        this.reason = reason;
        this.value = value;
    }

    /** Holds texts for the constants. An enum's own static fields are not available while its constants are made. */
    private static final class Reasons {
        static final String FOUND = "machines are found by it";
        static final String ONE_POD = "a machine has one pod, which is started once";
        static final String KEY = "a client identifies the machine by it";
        static final String REACHED = "the machine is reached by them";
    }

    /** Returns the field's value, as text. */
    String of(Job job) {
        return value.apply(job);
    }

    String reason() {
        return reason;
    }

    @Override
    public String toString() {
        return what;
    }

    private static ObjectMeta metadata(Job job) {
        return Optional.ofNullable(job.getMetadata()).orElseGet(ObjectMeta::new);
    }

    private static JobSpec spec(Job job) {
        return Optional.ofNullable(job.getSpec()).orElseGet(JobSpec::new);
    }

    private static Optional<PodTemplateSpec> template(Job job) {
        return Optional.ofNullable(spec(job).getTemplate());
    }

    private static ObjectMeta podMetadata(Job job) {
        return template(job).map(PodTemplateSpec::getMetadata).orElseGet(ObjectMeta::new);
    }

    private static PodSpec pod(Job job) {
        return template(job).map(PodTemplateSpec::getSpec).orElseGet(PodSpec::new);
    }

    private static Optional<Container> container(Job job) {
        return pod(job).getContainers().stream()
                .filter(container -> MachineContainer.NAME.equals(container.getName()))
                .findFirst();
    }

    private static String ours(ObjectMeta metadata) {
        Map<String, String> labels =
                new TreeMap<>(Optional.ofNullable(metadata.getLabels()).orElse(Map.of()));
        labels.keySet().removeIf(key -> !MachineLabels.isOurs(key));
        return labels.toString();
    }

    private static String keyVolume(Job job) {
        return all(pod(job).getVolumes().stream().filter(volume -> MachinePod.KEY.equals(volume.getName())));
    }

    private static String keyMount(Job job) {
        return all(container(job).stream()
                .flatMap(container -> container.getVolumeMounts().stream())
                .filter(mount -> MachineContainer.KEY_FOLDER.equals(mount.getMountPath())));
    }

    private static String keyFiles(Job job) {
        List<String> names = List.of(
                RuntimeEnvironment.CERTIFICATE,
                RuntimeEnvironment.KEY,
                RuntimeEnvironment.TOKEN_FILE,
                RuntimeEnvironment.GRANTS_FILE);
        return all(container(job).stream()
                .flatMap(container -> container.getEnv().stream())
                .filter(variable -> names.contains(variable.getName()))
                .map(EnvVar::getValue));
    }

    private static String ports(Job job) {
        return all(container(job).stream()
                .flatMap(container -> container.getPorts().stream())
                .filter(port -> List.of(MachineContainer.SESSION, MachineContainer.MANAGEMENT)
                        .contains(port.getName()))
                .map(port -> port.getName() + " " + port.getContainerPort() + " " + port.getProtocol()));
    }

    private static String all(Stream<?> values) {
        List<String> texts = values.map(Serialization::asJson).toList();
        return texts.isEmpty() ? text(null) : String.join(", ", texts);
    }

    private static String text(Object value) {
        return value == null ? "nothing" : value.toString();
    }
}
