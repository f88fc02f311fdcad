package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.provider.k8s.desired.MachineContainer;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server of models and its machine are one pod, which speaks by a socket; the dashboard shows what the server counts. */
@Tag("quick")
class ServingManifestsTest {
    private static final List<JsonNode> OBJECTS = Kustomization.objects(DeployFolder.ROOT.resolve("serving"));
    private static final Map<String, String> LABELS = Map.of("app.kubernetes.io/name", "outpost-serving");
    private static final PodSpec POD =
            Manifests.only(Deployment.class, OBJECTS).getSpec().getTemplate().getSpec();
    private static final Container MACHINE = POD.getInitContainers().getFirst();
    private static final Container SERVER = POD.getContainers().getFirst();

    private static String variable(Container container, String name) {
        return container.getEnv().stream()
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @Test
    void serverAndMachineShareASocketAndTheUserThatOwnsIt() {
        String socket = variable(MACHINE, "OUTPOST_RUNTIME_SOCKET");
        assertEquals("unix:" + socket, variable(SERVER, "OUTPOST_SERVING_ENDPOINT"));
        for (Container container : List.of(MACHINE, SERVER)) {
            VolumeMount mount = container.getVolumeMounts().stream()
                    .filter(one -> one.getName().equals("socket"))
                    .findFirst()
                    .orElseThrow();
            assertTrue(socket.startsWith(mount.getMountPath() + "/"), mount::getMountPath);
            assertEquals(null, container.getSecurityContext().getRunAsUser(), "both are the pod's user");
        }
        assertEquals(10001L, POD.getSecurityContext().getRunAsUser());
        assertEquals("127.0.0.1", variable(MACHINE, "OUTPOST_RUNTIME_HOST"));
    }

    /** A container of the usual kind would get its signal when the server does, in the midst of streams. */
    @Test
    void theMachineStartsBeforeTheServerAndEndsBehindIt() {
        assertEquals("Always", MACHINE.getRestartPolicy());
        assertEquals(
                MachineContainer.MANAGEMENT_PORT, MACHINE.getPorts().getFirst().getContainerPort());
        long drain = Long.parseLong(variable(SERVER, "OUTPOST_SERVING_DRAIN").replace("s", ""));
        assertTrue(POD.getTerminationGracePeriodSeconds() >= drain + 20, "the machine has time behind the streams");
    }

    @Test
    void theModelIsAmongWhatTheMachineMayRead() {
        String allowed = variable(MACHINE, "OUTPOST_RUNTIME_SOURCES");
        assertTrue(variable(SERVER, "OUTPOST_SERVING_MODEL").startsWith(allowed), allowed);
    }

    @Test
    void requestsGoToServersWhoseModelIsWarm() {
        assertEquals("/health/ready", SERVER.getReadinessProbe().getHttpGet().getPath());
        assertEquals("/health/live", SERVER.getLivenessProbe().getHttpGet().getPath());
        assertEquals(LABELS, Manifests.only(Service.class, OBJECTS).getSpec().getSelector());
        assertEquals(
                LABELS,
                Manifests.only(PodDisruptionBudget.class, OBJECTS)
                        .getSpec()
                        .getSelector()
                        .getMatchLabels());
        int open = Manifests.only(NetworkPolicy.class, OBJECTS)
                .getSpec()
                .getIngress()
                .getFirst()
                .getPorts()
                .getFirst()
                .getPort()
                .getIntVal();
        assertEquals(SERVER.getPorts().getFirst().getContainerPort(), open);
    }

    /** What the Pod Security Standard "restricted" asks for, and a read-only root besides. */
    @Test
    void thePodMayDoLittle() {
        assertTrue(POD.getSecurityContext().getRunAsNonRoot());
        assertFalse(POD.getAutomountServiceAccountToken());
        for (Container container : List.of(MACHINE, SERVER)) {
            assertFalse(container.getSecurityContext().getAllowPrivilegeEscalation());
            assertTrue(container.getSecurityContext().getReadOnlyRootFilesystem());
            assertEquals(
                    List.of("ALL"),
                    container.getSecurityContext().getCapabilities().getDrop());
            assertTrue(container.getResources().getLimits().containsKey("memory"));
        }
    }

    /** A rename of a setting must not leave a manifest behind that sets nothing. */
    @Test
    void theSettingsAreThoseOfTheServerAndTheMachine() {
        String server = DeployFolder.read(
                DeployFolder.TREE.resolve("serving/src/main/java/dev/outpost/serving/config/ServingConfig.java"));
        SERVER.getEnv().stream()
                .filter(one -> !one.getName().equals("HOME"))
                .forEach(one -> assertTrue(isSetting(one.getName(), "OUTPOST_SERVING_", server), one::getName));
        String machine = DeployFolder.read(DeployFolder.TREE.resolve(
                "gpu-runtime/server/src/main/java/dev/outpost/runtime/server/RuntimeConfig.java"));
        MACHINE.getEnv().stream()
                .filter(one -> !one.getName().equals("HOME"))
                .forEach(one -> assertTrue(isSetting(one.getName(), "OUTPOST_RUNTIME_", machine), one::getName));
        String documented = DeployFolder.read(DeployFolder.TREE.resolve("docs/serving.md"));
        assertTrue(documented.contains("outpost-serving-keys"));
        assertTrue(documented.contains("deploy/dashboards/serving.json"));
    }

    /** Whether an interface has a method of the variable's name, or one of its last word in a group of its first. */
    private static boolean isSetting(String variable, String prefix, String source) {
        String name = camel(variable.substring(prefix.length()));
        int last = variable.lastIndexOf('_');
        boolean isGrouped = source.contains(" " + camel(variable.substring(last + 1)) + "();")
                && last > prefix.length()
                && source.contains(" " + camel(variable.substring(prefix.length(), last)) + "();");
        return source.contains(" " + name + "();") || isGrouped;
    }

    private static String camel(String words) {
        String lower = words.toLowerCase(Locale.ROOT);
        return Pattern.compile("_([a-z])")
                .matcher(lower)
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
    }

    @Test
    void theDashboardShowsMetricsThatTheServerHas() throws Exception {
        String source = DeployFolder.read(
                DeployFolder.TREE.resolve("serving/src/main/java/dev/outpost/serving/engine/ServingMetrics.java"));
        Set<String> counted = new HashSet<>();
        Matcher names = Pattern.compile("\"(vllm:[a-z0-9_]+)\"").matcher(source);
        while (names.find()) {
            counted.add(names.group(1));
        }
        JsonNode dashboard = JsonMapper.builder()
                .build()
                .readTree(DeployFolder.ROOT.resolve("dashboards/serving.json").toFile());
        Set<String> shown = new HashSet<>();
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.get("targets")) {
                Matcher used = Pattern.compile("vllm:[a-z0-9_]+")
                        .matcher(target.get("expr").asText());
                while (used.find()) {
                    shown.add(meter(used.group(), counted));
                }
            }
        }
        assertEquals(counted, shown, "each metric is shown, and no other");
    }

    /** What Prometheus' names are made of: counters have "_total", timers "_seconds" and their parts. */
    private static String meter(String name, Set<String> counted) {
        return Stream.of("", "_total", "_seconds_bucket", "_seconds_count", "_seconds_sum")
                .filter(name::endsWith)
                .map(end -> name.substring(0, name.length() - end.length()))
                .filter(counted::contains)
                .findFirst()
                .orElseThrow(() -> new AssertionError("the server has no metric " + name));
    }
}
