package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.fleet.MachineBounds;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.desired.DesiredState;
import dev.outpost.provider.k8s.desired.GroupRequest;
import dev.outpost.provider.k8s.desired.GroupState;
import dev.outpost.provider.k8s.desired.JobContainer;
import dev.outpost.provider.k8s.desired.KubernetesMachineSpec;
import dev.outpost.provider.k8s.desired.LifetimePolicy;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every pod of ours holds to: those of the manifests, and those that the provider makes. */
@Tag("quick")
class PodRulesTest {
    /** On a node that starts many pods at once, a JVM takes minutes. */
    private static final int START_SECONDS = 300;

    /** A JVM may stand still for a while, and a restart loses what it holds. */
    private static final int STANDSTILL_SECONDS = 60;

    private static final int PROBE_SECONDS = 5;

    /** A pod, and where it comes from. */
    record Named(String name, PodSpec pod) {
        /** Init containers first. */
        List<Container> containers() {
            return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream())
                    .toList();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static List<JsonNode> manifests() {
        return ManifestsTest.objects().toList();
    }

    static List<Named> pods() {
        List<Named> pods = new ArrayList<>();
        Manifests.all(Deployment.class, manifests())
                .forEach(deployment -> pods.add(new Named(
                        deployment.getMetadata().getName(),
                        deployment.getSpec().getTemplate().getSpec())));
        pods.add(new Named(
                "a machine", Overlay.base().job().getSpec().getTemplate().getSpec()));
        pods.add(new Named(
                "a machine with a job",
                DesiredState.job(machineOfJob()).getSpec().getTemplate().getSpec()));
        for (boolean isOnePod : List.of(true, false)) {
            GroupRequest group = new GroupRequest(machine(new LifetimePolicy.ClientLease()), 2, isOnePod);
            pods.add(new Named(
                    "a group, in one pod: " + isOnePod,
                    GroupState.job(group).getSpec().getTemplate().getSpec()));
        }
        return pods;
    }

    private static KubernetesMachineSpec machineOfJob() {
        JobRun job = new JobRun(URI.create("https://outpost-backend"), "jr_secret", Optional.of("a certificate"));
        return machine(
                new LifetimePolicy.Controlled("test", MachineBounds.NONE, List.of(), Map.of(), Optional.of(job)));
    }

    private static KubernetesMachineSpec machine(LifetimePolicy lifetime) {
        return new KubernetesMachineSpec(
                "outpost-a100-x7k2m9qd",
                GpuCatalogue.standard().find("A100"),
                lifetime,
                "ada@laptop",
                SettingsReader.of(Map.of("namespace", "outpost")));
    }

    @Test
    void allDeploymentsAreAmongThem() {
        assertEquals(7, pods().size());
    }

    @ParameterizedTest
    @MethodSource("pods")
    void servicesSetNoVariables(Named pod) {
        assertEquals(false, pod.pod().getEnableServiceLinks());
    }

    @ParameterizedTest
    @MethodSource("pods")
    void onlyTheBackendHasAnAccount(Named pod) {
        boolean isBackend = pod.name().equals("outpost-backend");
        assertEquals(isBackend ? "outpost-backend" : null, pod.pod().getServiceAccountName());
        assertEquals(isBackend ? null : Boolean.FALSE, pod.pod().getAutomountServiceAccountToken());
    }

    /** The Pod Security Standard "restricted", and a read-only root besides. */
    @ParameterizedTest
    @MethodSource("pods")
    void podMayDoLittle(Named pod) {
        var security = pod.pod().getSecurityContext();
        assertTrue(security.getRunAsNonRoot());
        assertEquals("RuntimeDefault", security.getSeccompProfile().getType());
        for (Container container : pod.containers()) {
            var own = container.getSecurityContext();
            assertFalse(own.getAllowPrivilegeEscalation(), container::getName);
            assertTrue(own.getReadOnlyRootFilesystem(), container::getName);
            assertEquals(List.of("ALL"), own.getCapabilities().getDrop(), container::getName);
            assertEquals(List.of(), own.getCapabilities().getAdd(), container::getName);
            assertEquals(null, own.getPrivileged(), container::getName);
        }
    }

    @ParameterizedTest
    @MethodSource("pods")
    void containersAskForWhatTheyTake(Named pod) {
        for (Container container : pod.containers()) {
            assertTrue(
                    container.getResources().getRequests().keySet().containsAll(Set.of("cpu", "memory")),
                    container::getName);
            assertTrue(container.getResources().getLimits().containsKey("memory"), container::getName);
        }
    }

    /** A user without an entry in /etc/passwd has no home, and the root is read-only. */
    @ParameterizedTest
    @MethodSource("pods")
    void homeAndTemporaryFolderCanBeWritten(Named pod) {
        for (Container container : pod.containers()) {
            List<String> writable = container.getVolumeMounts().stream()
                    .filter(mount -> !Boolean.TRUE.equals(mount.getReadOnly()))
                    .filter(mount -> volume(pod, mount.getName()).getEmptyDir() != null)
                    .map(mount -> mount.getMountPath())
                    .toList();
            String home = container.getEnv().stream()
                    .filter(variable -> variable.getName().equals("HOME"))
                    .map(EnvVar::getValue)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(container.getName() + " has no HOME"));
            assertTrue(writable.contains(home), () -> container.getName() + " cannot write to " + home);
            assertTrue(writable.contains("/tmp"), container::getName);
        }
    }

    private static Volume volume(Named pod, String name) {
        return pod.pod().getVolumes().stream()
                .filter(volume -> volume.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A runner of a job serves nothing, so there is nothing to ask it. */
    @ParameterizedTest
    @MethodSource("pods")
    void probesArePatientWithSlowNodes(Named pod) {
        for (Container container : pod.containers()) {
            if (container.getName().equals(JobContainer.NAME)) {
                assertEquals(List.of(), container.getPorts());
                continue;
            }
            assertNotNull(container.getStartupProbe(), container::getName);
            assertTrue(seconds(container.getStartupProbe()) >= START_SECONDS, container::getName);
            assertTrue(seconds(container.getLivenessProbe()) >= STANDSTILL_SECONDS, container::getName);
            assertTrue(container.getStartupProbe().getTimeoutSeconds() >= PROBE_SECONDS, container::getName);
            assertTrue(container.getLivenessProbe().getTimeoutSeconds() >= PROBE_SECONDS, container::getName);
            boolean isSidecar = "Always".equals(container.getRestartPolicy());
            assertEquals(isSidecar, container.getReadinessProbe() == null, container::getName);
        }
    }

    private static int seconds(Probe probe) {
        return probe.getPeriodSeconds() * probe.getFailureThreshold();
    }

    /** Without {@code enableServiceLinks: false} each of these Services would set a variable that is a setting. */
    @Test
    void namesOfServicesMakeVariablesOfSettings() {
        List<String> variables = Manifests.all(Service.class, manifests()).stream()
                .map(service -> service.getMetadata()
                                .getName()
                                .toUpperCase(java.util.Locale.ROOT)
                                .replace('-', '_') + "_PORT")
                .sorted()
                .toList();
        assertEquals(List.of("OUTPOST_BACKEND_PORT", "OUTPOST_RELAY_PORT", "OUTPOST_SERVING_PORT"), variables);
    }
}
