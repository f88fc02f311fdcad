package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.fleet.JobRun;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the container of a job's runner, beside the machine's in one pod. It has the machine's image, which holds the runner; a patch of
 * the pod gives it another one, or more memory, by its name. It has neither the GPU nor the machine's key.
 */
public final class JobContainer {
    /** The name of the container. */
    public static final String NAME = "job";

    /** The entry of the machine's Secret that holds the runner's token. */
    static final String TOKEN = "runner-token";

    static final String VOLUME = "job";

    /** The entry of the machine's Secret that holds the authority of the backend's certificate. */
    static final String AUTHORITY = "runner-authority";

    private static final String AUTHORITY_FOLDER = "/var/run/outpost/runner";
    private static final String FOLDER = "/job";
    private static final Quantity SIZE = new Quantity("4Gi");

    private JobContainer() {}

    static Optional<Container> of(KubernetesMachineSpec request) {
        return job(request)
                .map(job -> new ContainerBuilder()
                        .withName(NAME)
                        .withImage(request.config().image())
                        .withImagePullPolicy(request.config().imagePullPolicy().text())
                        .withCommand(
                                "/opt/outpost/java/bin/java",
                                "-Xmx64m",
                                "-XX:+ExitOnOutOfMemoryError",
                                "-cp",
                                "/opt/outpost/runtime.jar",
                                JobRun.MAIN_CLASS)
                        .withWorkingDir(FOLDER)
                        .withEnv(environment(request, job))
                        .withNewResources()
                        .addToRequests("cpu", new Quantity("100m"))
                        .addToRequests("memory", new Quantity("512Mi"))
                        .addToLimits("memory", new Quantity("2Gi"))
                        .endResources()
                        .withNewSecurityContext()
                        .withAllowPrivilegeEscalation(false)
                        .withReadOnlyRootFilesystem(true)
                        .withNewCapabilities()
                        .withDrop("ALL")
                        .endCapabilities()
                        .endSecurityContext()
                        .addNewVolumeMount()
                        .withName(VOLUME)
                        .withMountPath(FOLDER)
                        .endVolumeMount()
                        .addNewVolumeMount()
                        .withName(VOLUME)
                        .withMountPath("/tmp")
                        .withSubPath("tmp")
                        .endVolumeMount()
                        .addAllToVolumeMounts(authorityMount(job))
                        .build());
    }

    private static List<VolumeMount> authorityMount(JobRun job) {
        return job.authority().isEmpty()
                ? List.of()
                : List.of(new VolumeMountBuilder()
                        .withName(AUTHORITY)
                        .withMountPath(AUTHORITY_FOLDER)
                        .withReadOnly(true)
                        .build());
    }

    private static List<EnvVar> environment(KubernetesMachineSpec request, JobRun job) {
        List<EnvVar> variables = new ArrayList<>();
        variables.add(variable(JobRun.ADDRESS_VARIABLE, job.controlPlane().toString()));
        job.authority()
                .ifPresent(
                        pem -> variables.add(variable(JobRun.AUTHORITY_VARIABLE, AUTHORITY_FOLDER + "/" + AUTHORITY)));
        variables.add(variable("OUTPOST_RUNNER_FOLDER", FOLDER + "/run"));
        variables.add(variable("HOME", FOLDER));
        variables.add(new EnvVarBuilder()
                .withName(JobRun.TOKEN_VARIABLE)
                .withNewValueFrom()
                .withNewSecretKeyRef()
                .withName(request.id())
                .withKey(TOKEN)
                .endSecretKeyRef()
                .endValueFrom()
                .build());
        return variables;
    }

    private static EnvVar variable(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    static List<Volume> volumes(KubernetesMachineSpec request) {
        List<Volume> volumes = new ArrayList<>();
        job(request).ifPresent(job -> {
            volumes.add(new VolumeBuilder()
                    .withName(VOLUME)
                    .withNewEmptyDir()
                    .withSizeLimit(SIZE)
                    .endEmptyDir()
                    .build());
            job.authority().ifPresent(pem -> volumes.add(authority(request)));
        });
        return volumes;
    }

    private static Volume authority(KubernetesMachineSpec request) {
        return new VolumeBuilder()
                .withName(AUTHORITY)
                .withNewSecret()
                .withSecretName(request.id())
                .withItems(new KeyToPath(AUTHORITY, null, AUTHORITY))
                .endSecret()
                .build();
    }

    /** The data of a machine's Secret, with the token and the authority of its runner if it has one. */
    static Map<String, String> withRunner(Map<String, String> data, LifetimePolicy.Controlled life) {
        Map<String, String> all = new LinkedHashMap<>(data);
        life.job().ifPresent(job -> {
            all.put(TOKEN, encoded(job.token()));
            job.authority().ifPresent(pem -> all.put(AUTHORITY, encoded(pem)));
        });
        return all;
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<JobRun> job(KubernetesMachineSpec request) {
        return request.lifetime() instanceof LifetimePolicy.Controlled controlled ? controlled.job() : Optional.empty();
    }
}
