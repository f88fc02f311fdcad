package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.fleet.JobRun;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the container of a job's runner, beside the machine's in one pod. It has the machine's image, which holds the runner. A patch of
 * the pod can set another image or more memory for the container of this name. It has neither the GPU nor the machine's key.
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

    private JobContainer() {}

    /** Returns the container and its volumes, as a part of a pod; empty if the machine runs no job. */
    static Optional<PodSpec> of(KubernetesMachineSpec request) {
        return job(request).map(job -> pod(request, job));
    }

    private static PodSpec pod(KubernetesMachineSpec request, JobRun job) {
        PodSpecBuilder pod = new PodSpecBuilder(PodTemplates.JOB)
                .editFirstContainer()
                .withImage(request.config().image())
                .withImagePullPolicy(request.config().imagePullPolicy().text())
                .addToCommand(JobRun.MAIN_CLASS)
                .addToEnv(new EnvVar(JobRun.ADDRESS_VARIABLE, job.controlPlane().toString(), null))
                .addNewEnv()
                .withName(JobRun.TOKEN_VARIABLE)
                .withNewValueFrom()
                .withNewSecretKeyRef(TOKEN, request.id(), null)
                .endValueFrom()
                .endEnv()
                .endContainer();
        return job.authority().isEmpty() ? pod.build() : withAuthority(pod, request.id());
    }

    private static PodSpec withAuthority(PodSpecBuilder pod, String secret) {
        return pod.editFirstContainer()
                .addToEnv(new EnvVar(JobRun.AUTHORITY_VARIABLE, AUTHORITY_FOLDER + "/" + AUTHORITY, null))
                .addNewVolumeMount()
                .withName(AUTHORITY)
                .withMountPath(AUTHORITY_FOLDER)
                .withReadOnly(true)
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName(AUTHORITY)
                .withNewSecret()
                .withSecretName(secret)
                .withItems(new KeyToPath(AUTHORITY, null, AUTHORITY))
                .endSecret()
                .endVolume()
                .build();
    }

    /** Returns the data of a machine's Secret, with the token and the authority of its runner if it has one. */
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
