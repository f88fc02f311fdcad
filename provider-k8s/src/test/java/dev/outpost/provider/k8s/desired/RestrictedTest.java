package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the files of expected results by the rules of the Pod Security Standard {@code restricted}, and by our own stricter
 * rules.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/security/pod-security-standards/">the standard</a>
 */
@Tag("quick")
class RestrictedTest {
    static List<Job> jobs() {
        return Golden.read("job-", Job.class);
    }

    @Test
    void thereAreJobsToCheck() {
        assertEquals(11, jobs().size());
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void podUsesNoHostNamespaces(Job job) {
        PodSpec pod = pod(job);
        assertNull(pod.getHostNetwork());
        assertNull(pod.getHostPID());
        assertNull(pod.getHostIPC());
        assertNull(pod.getSecurityContext().getSysctls().stream().findFirst().orElse(null));
        assertNull(pod.getSecurityContext().getWindowsOptions());
        pod.getContainers().forEach(container -> container.getPorts().forEach(port -> assertNull(port.getHostPort())));
        pod.getContainers().forEach(container -> assertNull(container.getLifecycle()));
    }

    /** The standard's list of kinds; only two of them are used. */
    @ParameterizedTest
    @MethodSource("jobs")
    void volumesAreOfRestrictedTypes(Job job) {
        for (Volume volume : pod(job).getVolumes()) {
            assertNull(volume.getHostPath(), volume.getName());
            assertTrue(volume.getEmptyDir() != null || volume.getSecret() != null, volume.getName());
        }
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void podDoesNotRunAsRoot(Job job) {
        var security = pod(job).getSecurityContext();
        assertEquals(true, security.getRunAsNonRoot());
        assertTrue(security.getRunAsUser() > 0);
        assertEquals("RuntimeDefault", security.getSeccompProfile().getType());
        assertNull(security.getSeLinuxOptions());
        assertNull(security.getAppArmorProfile());
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void containerHasNoPrivileges(Job job) {
        for (Container container : pod(job).getContainers()) {
            SecurityContext security = container.getSecurityContext();
            assertEquals(false, security.getAllowPrivilegeEscalation(), container.getName());
            assertEquals(List.of("ALL"), security.getCapabilities().getDrop(), container.getName());
            assertEquals(List.of(), security.getCapabilities().getAdd(), container.getName());
            assertNull(security.getPrivileged());
            assertNull(security.getProcMount());
            assertNull(security.getRunAsUser());
            assertNull(security.getRunAsNonRoot());
            assertNull(security.getSeccompProfile());
        }
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void podHasNoTokenNoServiceLinksAndAReadOnlyRoot(Job job) {
        assertEquals(false, pod(job).getAutomountServiceAccountToken());
        assertEquals(false, pod(job).getEnableServiceLinks());
        assertEquals(true, machine(job).getSecurityContext().getReadOnlyRootFilesystem());
    }

    /** The root is read-only, and the key is readable for the pod's group, which every user of the pod has. */
    @ParameterizedTest
    @MethodSource("jobs")
    void keyAndTemporaryFolderAreMounted(Job job) {
        assertNotNull(pod(job).getSecurityContext().getFsGroup());
        Volume key = volumeAt(job, "/var/run/outpost/key");
        assertEquals(0440, key.getSecret().getDefaultMode());
        assertNotNull(volumeAt(job, "/tmp").getEmptyDir().getSizeLimit());
        assertFalse(machine(job).getVolumeMounts().stream()
                .anyMatch(mount -> mount.getName().equals(key.getName()) && !Boolean.TRUE.equals(mount.getReadOnly())));
    }

    @ParameterizedTest
    @MethodSource("jobs")
    void jobEndsAndIsNotRetried(Job job) {
        assertNotNull(job.getSpec().getActiveDeadlineSeconds());
        assertNotNull(job.getSpec().getTtlSecondsAfterFinished());
        assertEquals(0, job.getSpec().getBackoffLimit());
        assertEquals("Never", pod(job).getRestartPolicy());
        // The runtime drains for ten seconds.
        assertTrue(pod(job).getTerminationGracePeriodSeconds() > 10);
    }

    private static Volume volumeAt(Job job, String path) {
        String name = machine(job).getVolumeMounts().stream()
                .filter(mount -> mount.getMountPath().equals(path))
                .findFirst()
                .orElseThrow()
                .getName();
        return pod(job).getVolumes().stream()
                .filter(volume -> volume.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Container machine(Job job) {
        return pod(job).getContainers().getFirst();
    }

    private static PodSpec pod(Job job) {
        return job.getSpec().getTemplate().getSpec();
    }
}
