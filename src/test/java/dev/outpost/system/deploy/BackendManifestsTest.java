package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.provider.k8s.desired.MachineContainer;
import dev.outpost.relay.name.RelayNames;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The backend and its relays on a cluster: they outlive a node, they are let do little, and their secrets are Secrets. */
@Tag("quick")
class BackendManifestsTest {
    private static final List<JsonNode> OBJECTS = Kustomization.objects(DeployFolder.ROOT.resolve("backend"));
    private static final Map<String, String> MACHINES = Map.of("app.kubernetes.io/name", "outpost-machine");

    private static Deployment deployment(String name) {
        return named(Deployment.class, name);
    }

    private static <T extends io.fabric8.kubernetes.api.model.HasMetadata> T named(Class<T> type, String name) {
        return Manifests.all(type, OBJECTS).stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static PodSpec pod(String name) {
        return deployment(name).getSpec().getTemplate().getSpec();
    }

    private static Container container(String name) {
        assertEquals(1, pod(name).getContainers().size());
        return pod(name).getContainers().getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"outpost-backend", "outpost-relay"})
    void oneOfTwoIsAlwaysThere(String name) {
        Deployment deployment = deployment(name);
        assertEquals(2, deployment.getSpec().getReplicas());
        assertEquals(
                0,
                deployment
                        .getSpec()
                        .getStrategy()
                        .getRollingUpdate()
                        .getMaxUnavailable()
                        .getIntVal());
        PodDisruptionBudget budget = named(PodDisruptionBudget.class, name);
        assertEquals(1, budget.getSpec().getMinAvailable().getIntVal());
        Map<String, String> labels = Map.of("app.kubernetes.io/name", name);
        PodTemplateSpec template = deployment.getSpec().getTemplate();
        assertEquals(labels, template.getMetadata().getLabels());
        assertEquals(labels, deployment.getSpec().getSelector().getMatchLabels());
        assertEquals(labels, budget.getSpec().getSelector().getMatchLabels());
        assertEquals(labels, named(Service.class, name).getSpec().getSelector());
        assertEquals(
                labels,
                pod(name)
                        .getTopologySpreadConstraints()
                        .getFirst()
                        .getLabelSelector()
                        .getMatchLabels());
    }

    /** The rules of the Pod Security Standard "restricted", and a read-only root besides. */
    @ParameterizedTest
    @ValueSource(strings = {"outpost-backend", "outpost-relay"})
    void thePodsMayDoLittle(String name) {
        assertTrue(pod(name).getSecurityContext().getRunAsNonRoot());
        assertEquals(
                "RuntimeDefault",
                pod(name).getSecurityContext().getSeccompProfile().getType());
        var security = container(name).getSecurityContext();
        assertFalse(security.getAllowPrivilegeEscalation());
        assertTrue(security.getReadOnlyRootFilesystem());
        assertEquals(List.of("ALL"), security.getCapabilities().getDrop());
        assertTrue(container(name).getResources().getLimits().containsKey("memory"));
    }

    @Test
    void onlyTheBackendSpeaksToTheApiServer() {
        assertEquals("outpost-backend", pod("outpost-backend").getServiceAccountName());
        assertFalse(pod("outpost-relay").getAutomountServiceAccountToken());
    }

    @Test
    void secretsAreNoTextHere() {
        for (String name : List.of("outpost-backend", "outpost-relay")) {
            for (EnvVar variable : container(name).getEnv()) {
                boolean isSecret =
                        variable.getName().matches(".*(PASSWORD|_ADMIN_KEY|_MANAGEMENT_KEY|_SEAL_KEY|SECRET|USER|URL)");
                assertEquals(isSecret, variable.getValueFrom() != null, variable::getName);
                assertEquals(isSecret, variable.getValue() == null, variable::getName);
            }
        }
    }

    /** Without a shared key, each replica makes a key in its own data folder, which the machines of the other replica do not accept. */
    @Test
    void allReplicasShareTheManagementKey() {
        EnvVar key = container("outpost-backend").getEnv().stream()
                .filter(variable -> variable.getName().equals("OUTPOST_BACKEND_MANAGEMENT_KEY"))
                .findFirst()
                .orElseThrow();
        assertEquals("management-key", key.getValueFrom().getSecretKeyRef().getKey());
    }

    /** The component that narrows who reaches machines lets in namespaces with this label. */
    @Test
    void backendAndRelaysMayReachMachinesOfLabelledClients() {
        String component =
                DeployFolder.read(DeployFolder.component("labelled-clients").resolve("kustomization.yaml"));
        assertTrue(component.contains("outpost.dev/clients: \"true\""), component);
        assertEquals(
                "true",
                named(Namespace.class, "outpost-backend")
                        .getMetadata()
                        .getLabels()
                        .get("outpost.dev/clients"));
    }

    /** A rename of a setting must not leave a manifest behind that sets nothing. */
    @Test
    void theSettingsAreThoseOfTheBackendAndTheRelay() {
        String relay =
                DeployFolder.read(DeployFolder.TREE.resolve("relay/src/main/java/dev/outpost/relay/RelayMain.java"));
        container("outpost-relay").getEnv().stream()
                .filter(BackendManifestsTest::isOurs)
                .forEach(variable -> assertTrue(relay.contains(variable.getName()), variable::getName));
        String backend = DeployFolder.read(
                DeployFolder.TREE.resolve("control-plane/src/main/java/dev/outpost/backend/BackendConfig.java"));
        container("outpost-backend").getEnv().stream()
                .filter(BackendManifestsTest::isOurs)
                .forEach(variable -> assertTrue(isSetting(variable.getName(), backend), variable::getName));
    }

    private static boolean isOurs(EnvVar variable) {
        return variable.getName().startsWith("OUTPOST_");
    }

    /** Whether the interface has OUTPOST_BACKEND_SOME_NAME, as {@code someName()} or as {@code name()} of {@code some()}. */
    private static boolean isSetting(String variable, String source) {
        String[] words = variable.replace("OUTPOST_BACKEND_", "")
                .toLowerCase(Locale.ROOT)
                .split("_");
        return IntStream.rangeClosed(1, words.length)
                .anyMatch(split -> hasMethod(source, words, 0, split)
                        && (split == words.length || hasMethod(source, words, split, words.length)));
    }

    private static boolean hasMethod(String source, String[] words, int from, int to) {
        String name = IntStream.range(from, to)
                .mapToObj(i -> i == from ? words[i] : Character.toUpperCase(words[i].charAt(0)) + words[i].substring(1))
                .collect(Collectors.joining());
        return source.contains(" " + name + "();");
    }

    @Test
    void bothAreOnePieceOfTheSameImage() {
        assertEquals(
                container("outpost-backend").getImage(),
                container("outpost-relay").getImage());
        Containerfile image =
                Containerfile.parse(DeployFolder.read(DeployFolder.ROOT.resolve("Containerfile.backend")));
        List<String> command = container("outpost-relay").getCommand();
        assertTrue(image.running("RelayMain").words().containsAll(command), command::toString);
        assertEquals(
                List.of(
                        "/opt/outpost/java/bin/java",
                        "@/opt/outpost/backend.options",
                        "-jar",
                        "/opt/outpost/backend.jar"),
                image.lastStage().all("ENTRYPOINT").getFirst().words());
    }

    @Test
    void otherTrafficIsDenied() {
        NetworkPolicy deny = named(NetworkPolicy.class, "outpost-default-deny");
        assertEquals(Map.of(), deny.getSpec().getPodSelector().getMatchLabels());
        assertEquals(List.of("Ingress", "Egress"), deny.getSpec().getPolicyTypes());
        assertTrue(deny.getSpec().getIngress().isEmpty()
                && deny.getSpec().getEgress().isEmpty());
    }

    @Test
    void aRelayReachesSessionsOfMachinesAndNothingElse() {
        var egress = named(NetworkPolicy.class, "outpost-relay").getSpec().getEgress();
        assertEquals(1, egress.size());
        assertEquals(
                Set.of(MachineContainer.SESSION_PORT), ports(egress.getFirst().getPorts()));
        assertEquals(1, egress.getFirst().getTo().size());
        assertEquals(
                MACHINES, egress.getFirst().getTo().getFirst().getPodSelector().getMatchLabels());
    }

    @Test
    void theManagementPortOfMachinesIsTheBackends() {
        NetworkPolicy management = named(NetworkPolicy.class, "outpost-machine-management");
        assertEquals("outpost", management.getMetadata().getNamespace());
        assertEquals(MACHINES, management.getSpec().getPodSelector().getMatchLabels());
        var ingress = management.getSpec().getIngress().getFirst();
        assertEquals(Set.of(MachineContainer.MANAGEMENT_PORT), ports(ingress.getPorts()));
        assertEquals(
                Map.of("app.kubernetes.io/name", "outpost-backend"),
                ingress.getFrom().getFirst().getPodSelector().getMatchLabels());
    }

    @Test
    void aGatewayPassesTheNamesThatTheBackendSigns() {
        CustomSchemas.TlsRoute route = Manifests.only(
                CustomSchemas.TlsRoute.class, Kustomization.objects(DeployFolder.component("relay-gateway")));
        assertEquals(List.of("*." + RelayNames.SUFFIX), route.spec().hostnames());
        var backend = route.spec().rules().getFirst().backendRefs().getFirst();
        Service relay = named(Service.class, backend.name());
        assertEquals(relay.getMetadata().getNamespace(), route.metadata().getNamespace());
        assertEquals(relay.getSpec().getPorts().getFirst().getPort().intValue(), backend.port());
    }

    private static Set<Integer> ports(List<NetworkPolicyPort> ports) {
        return ports.stream().map(port -> port.getPort().getIntVal()).collect(Collectors.toCollection(TreeSet::new));
    }
}
