package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
class JobPatchTest {
    private static final String FOUND = "machines are found by it";
    private static final String ONE_POD = "a machine has one pod, which is started once";
    private static final String KEY = "a client identifies the machine by it";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{kind: CronJob} | its kind from batch/v1 Job to batch/v1 CronJob, and a machine is a Job",
                "{metadata: {name: mine}} | metadata.name from outpost-x7k2m9qd to mine, and " + FOUND,
                "{metadata: {namespace: mine}} | metadata.namespace from nothing to mine, and outpost.k8s.namespace sets it",
                "{spec: {parallelism: 2}} | spec.parallelism from 1 to 2, and " + ONE_POD,
                "{spec: {completions: null}} | spec.completions from 1 to nothing, and " + ONE_POD,
                "{spec: {backoffLimit: 3}} | spec.backoffLimit from 0 to 3, and " + ONE_POD,
                "{spec: {activeDeadlineSeconds: null}} | spec.activeDeadlineSeconds from 86400 to nothing, "
                        + "and outpost.k8s.maximum-lifetime sets it",
                "{spec: {ttlSecondsAfterFinished: 5}} | spec.ttlSecondsAfterFinished from 600 to 5, "
                        + "and outpost.k8s.ttl-after-finished sets it",
                "{spec: {template: {spec: {restartPolicy: OnFailure}}}} | the pod's restartPolicy from Never to OnFailure, and "
                        + ONE_POD,
                "{spec: {template: {spec: {volumes: [{name: key, secret: {optional: true}}]}}}} "
                        + "| the volume key from {\"name\":\"key\",\"secret\":{\"defaultMode\":288,"
                        + "\"secretName\":\"outpost-x7k2m9qd\"}} to {\"name\":\"key\",\"secret\":{\"defaultMode\":288,"
                        + "\"optional\":true,\"secretName\":\"outpost-x7k2m9qd\"}}, and " + KEY,
                "{spec: {template: {spec: {containers: [{name: machine, $patch: delete}]}}}} "
                        + "| the mount at /var/run/outpost/key from {\"mountPath\":\"/var/run/outpost/key\",\"name\":\"key\","
                        + "\"readOnly\":true} to nothing, and " + KEY
            })
    void identityOfTheMachineStays(String patch, String change) {
        assertEquals("outpost.k8s.patch: it would change " + change + "; leave that out of the patch", refusal(patch));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{metadata: {labels: {outpost.dev/machine: other}}} | metadata.labels",
                "{metadata: {labels: {app.kubernetes.io/managed-by: null}}} | metadata.labels",
                "{metadata: {labels: {$patch: replace, team: a}}} | metadata.labels",
                "{spec: {template: {metadata: {labels: {outpost.dev/machine: null}}}}} | the pod's metadata.labels",
                "{spec: {template: {metadata: null}}} | the pod's metadata.labels",
                "{spec: {template: {spec: {containers: [{name: machine, env: [{name: OUTPOST_RUNTIME_KEY, value: /x}]}]}}}} "
                        + "| the variables that name the machine's key",
                "{spec: {template: {spec: {containers: [{name: machine, ports: [{$patch: replace}]}]}}}} "
                        + "| the ports session and management",
                "{spec: null} | the pod's metadata.labels"
            })
    void norDoLabelsKeysAndPortsChange(String patch, String what) {
        String refusal = refusal(patch);
        assertTrue(refusal.startsWith("outpost.k8s.patch: it would change " + what + " from "), refusal);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{spec: 5} | its result is not a Job: ",
                "{spec: {template: {spec: {hostNetwork: perhaps}}}} | its result is not a Job: ",
                "{spec: {template: {spec: {containers: [{image: x}]}}}} | an element of containers lacks its name, "
            })
    void patchThatIsNoJobIsRefused(String patch, String sentence) {
        String refusal = refusal(patch);
        assertTrue(refusal.startsWith("outpost.k8s.patch: " + sentence), refusal);
    }

    /** A patch may set any other field, even a dangerous one, because it is the user's own cluster. */
    @Test
    void otherFieldsMayBePatched() {
        PodSpec pod = pod("""
                spec:
                  suspend: false
                  template:
                    spec:
                      hostNetwork: true
                      dnsPolicy: ClusterFirstWithHostNet
                      securityContext: {runAsUser: 1000, fsGroup: null}
                      initContainers:
                      - {name: driver-check, image: check:1}
                      containers:
                      - {name: machine, command: [/bin/runtime], workingDir: /work}
                """);
        assertEquals(true, pod.getHostNetwork());
        assertEquals(1000, pod.getSecurityContext().getRunAsUser());
        assertEquals(null, pod.getSecurityContext().getFsGroup());
        assertEquals("driver-check", pod.getInitContainers().getFirst().getName());
        assertEquals("/work", pod.getContainers().getFirst().getWorkingDir());
        assertEquals(3, pod.getVolumes().size());
    }

    /** The page about GPUs describes this patch. */
    @Test
    void compiledKernelsCanBeKeptOnAVolume() throws IOException {
        String page = Files.readString(Path.of("../docs/gpu.md"));
        int begin = page.indexOf("```yaml") + "```yaml".length();
        PodSpec pod = pod(page.substring(begin, page.indexOf("```", begin)));
        Container machine = pod.getContainers().getFirst();
        assertEquals(4, pod.getVolumes().size());
        assertEquals(
                "/kernels",
                machine.getVolumeMounts().stream()
                        .filter(mount -> mount.getName().equals("kernels"))
                        .findFirst()
                        .orElseThrow()
                        .getMountPath());
        assertEquals(
                "/kernels",
                machine.getEnv().stream()
                        .filter(variable -> variable.getName().equals("OUTPOST_RUNTIME_CUDA_KERNELS"))
                        .findFirst()
                        .orElseThrow()
                        .getValue());
    }

    /** A newer cluster may know more than this client. */
    @Test
    void unknownFieldsArePassedThrough() {
        PodSpec pod = pod("{spec: {template: {spec: {inventedLater: {a: 1}}}}}");
        assertEquals("{inventedLater={a=1}}", pod.getAdditionalProperties().toString());
    }

    private static PodSpec pod(String patch) {
        return DesiredState.job(MachineSpecFixtures.of("any", "patch", patch))
                .getSpec()
                .getTemplate()
                .getSpec();
    }

    private static String refusal(String patch) {
        KubernetesMachineSpec request = MachineSpecFixtures.of("any", "patch", patch);
        return assertThrows(IllegalArgumentException.class, () -> DesiredState.job(request))
                .getMessage();
    }
}
