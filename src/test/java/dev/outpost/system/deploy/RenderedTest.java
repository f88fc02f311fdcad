package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The output of {@code kubectl kustomize} for the folders. */
class RenderedTest {
    private static final List<String> BASE = List.of(
            "ConfigMap outpost/outpost-client",
            "Namespace outpost",
            "NetworkPolicy outpost/outpost-machine",
            "NetworkPolicy outpost/outpost-machine-model-store",
            "Role outpost/outpost-client",
            "RoleBinding outpost/outpost-client",
            "ServiceAccount outpost/outpost-client");

    @TempDir
    private Path folder;

    @BeforeAll
    static void findKubectl() {
        boolean isThere = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "kubectl")));
        assumeTrue(isThere, "there is no kubectl on the PATH to render with");
    }

    @Test
    void baseIsRendered() throws IOException, InterruptedException {
        assertEquals(BASE, names(render(DeployFolder.BASE)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"local-cpu", "gke", "eks"})
    void anOverlayThatOnlyTellsClients(String name) throws IOException, InterruptedException {
        List<JsonNode> objects = render(DeployFolder.overlay(name));
        assertEquals(BASE, names(objects));
        assertEquals(settings(DeployFolder.overlay(name)), settingsOf(objects));
    }

    @Test
    void kueue() throws IOException, InterruptedException {
        List<JsonNode> objects = render(DeployFolder.overlay("kueue"));
        assertEquals(
                with("ClusterQueue outpost", "LocalQueue outpost/outpost", "ResourceFlavor outpost-gpu"),
                names(objects));
        assertEquals(settings(DeployFolder.overlay("kueue")), settingsOf(objects));
    }

    @Test
    void theBackend() throws IOException, InterruptedException {
        assertEquals(
                with(
                        "Deployment outpost-backend/outpost-backend",
                        "Deployment outpost-backend/outpost-relay",
                        "Namespace outpost-backend",
                        "NetworkPolicy outpost-backend/outpost-backend",
                        "NetworkPolicy outpost-backend/outpost-default-deny",
                        "NetworkPolicy outpost-backend/outpost-relay",
                        "NetworkPolicy outpost/outpost-machine-backend",
                        "NetworkPolicy outpost/outpost-machine-management",
                        "PodDisruptionBudget outpost-backend/outpost-backend",
                        "PodDisruptionBudget outpost-backend/outpost-relay",
                        "Role outpost/outpost-backend",
                        "RoleBinding outpost/outpost-backend",
                        "Service outpost-backend/outpost-backend",
                        "Service outpost-backend/outpost-relay",
                        "ServiceAccount outpost-backend/outpost-backend"),
                names(render(DeployFolder.ROOT.resolve("backend"))));
    }

    @ParameterizedTest
    @CsvSource({"relay-gateway, v1", "relay-gateway-1.4, v1alpha2"})
    void routeOfARelayHasTheVersionOfTheGatewayApi(String component, String version)
            throws IOException, InterruptedException {
        List<JsonNode> objects = render(kustomization("resources: [%s]\ncomponents: [%s]\n"
                .formatted(seen(DeployFolder.ROOT.resolve("backend")), seen(DeployFolder.component(component)))));
        JsonNode route = objects.stream()
                .filter(object -> object.path("kind").asText().equals("TLSRoute"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                "gateway.networking.k8s.io/" + version, route.path("apiVersion").asText());
        assertEquals(
                List.of("outpost-relay"),
                Manifests.only(CustomSchemas.TlsRoute.class, objects).spec().rules().getFirst().backendRefs().stream()
                        .map(CustomSchemas.TlsRoute.Backend::name)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"base", "backend", "serving"})
    void onOpenShiftNoPodAsksForAUser(String manifests) throws IOException, InterruptedException {
        List<JsonNode> objects = render(kustomization("resources: [%s]\ncomponents: [%s]\n"
                .formatted(seen(DeployFolder.ROOT.resolve(manifests)), seen(DeployFolder.component("openshift")))));
        for (Deployment deployment : Manifests.all(Deployment.class, objects)) {
            PodSecurityContext security =
                    deployment.getSpec().getTemplate().getSpec().getSecurityContext();
            assertNull(security.getRunAsUser());
            assertNull(security.getFsGroup());
            assertTrue(security.getRunAsNonRoot());
        }
        assertTrue(Manifests.all(NetworkPolicy.class, objects).stream()
                .flatMap(policy -> policy.getSpec().getEgress().stream())
                .flatMap(rule -> rule.getPorts().stream())
                .anyMatch(port -> port.getPort().getIntVal() == 5353));
    }

    @Test
    void nodesByKarpenter() throws IOException, InterruptedException {
        assertEquals(
                List.of("EC2NodeClass outpost-gpu", "NodePool outpost-gpu"),
                names(render(DeployFolder.overlay("eks").resolve("karpenter"))));
    }

    @Test
    void monitoring() throws IOException, InterruptedException {
        assertEquals(
                with("NetworkPolicy outpost/outpost-machine-metrics", "ServiceMonitor outpost/outpost-machine"),
                names(renderWith("monitoring")));
    }

    @Test
    void nodeReaderIsRendered() throws IOException, InterruptedException {
        assertEquals(
                with("ClusterRole outpost-node-reader", "ClusterRoleBinding outpost-node-reader"),
                names(renderWith("node-reader")));
    }

    @Test
    void deviceReaderIsRendered() throws IOException, InterruptedException {
        assertEquals(
                with("ClusterRole outpost-device-reader", "ClusterRoleBinding outpost-device-reader"),
                names(renderWith("device-reader")));
    }

    @Test
    void quotaIsRendered() throws IOException, InterruptedException {
        assertEquals(with("LimitRange outpost/outpost", "ResourceQuota outpost/outpost"), names(renderWith("quota")));
    }

    @Test
    void clientsWithALabelOnly() throws IOException, InterruptedException {
        List<JsonNode> objects = renderWith("labelled-clients");
        assertEquals(BASE, names(objects));
        NetworkPolicy machine = Manifests.all(NetworkPolicy.class, objects).stream()
                .filter(policy -> policy.getMetadata().getName().equals("outpost-machine"))
                .findFirst()
                .orElseThrow();
        var session = machine.getSpec().getIngress().getFirst();
        assertEquals(
                Map.of("outpost.dev/clients", "true"),
                session.getFrom().getFirst().getNamespaceSelector().getMatchLabels());
        assertEquals(50051, session.getPorts().getFirst().getPort().getIntVal());
    }

    /** As deploy/README.md says for teams that must not share machines. */
    @Test
    void aNamespaceOfOnesOwn() throws IOException, InterruptedException {
        List<JsonNode> objects = render(kustomization("""
                namespace: team-a
                resources: [%s]
                configMapGenerator:
                  - name: outpost-client
                    namespace: outpost
                    behavior: merge
                    literals: [OUTPOST_K8S_NAMESPACE=team-a]
                generatorOptions: {disableNameSuffixHash: true}
                """.formatted(seen(DeployFolder.BASE))));
        List<String> moved = BASE.stream()
                .map(name -> name.replace(" outpost/", " team-a/").replace("Namespace outpost", "Namespace team-a"))
                .toList();
        assertEquals(moved, names(objects));
        assertEquals("team-a", settingsOf(objects).get("OUTPOST_K8S_NAMESPACE"));
        assertEquals(
                "team-a",
                Manifests.only(RoleBinding.class, objects)
                        .getSubjects()
                        .getFirst()
                        .getNamespace());
    }

    private static List<String> with(String... more) {
        return Stream.concat(BASE.stream(), Stream.of(more)).sorted().toList();
    }

    private static List<String> names(List<JsonNode> objects) {
        objects.forEach(Manifests::model);
        return objects.stream().map(Manifests::name).sorted().toList();
    }

    private static Map<String, String> settingsOf(List<JsonNode> objects) {
        return Manifests.only(ConfigMap.class, objects).getData();
    }

    private static Map<String, String> settings(Path overlay) {
        Map<String, String> settings = new HashMap<>(SettingsFile.read(DeployFolder.BASE.resolve(SettingsFile.NAME)));
        settings.putAll(SettingsFile.read(overlay.resolve(SettingsFile.NAME)));
        return settings;
    }

    private List<JsonNode> renderWith(String component) throws IOException, InterruptedException {
        return render(kustomization("resources: [%s]\ncomponents: [%s]\n"
                .formatted(seen(DeployFolder.BASE), seen(DeployFolder.component(component)))));
    }

    private Path kustomization(String content) throws IOException {
        Files.writeString(folder.resolve(Kustomization.FILE), content);
        return folder;
    }

    /** From the folder of the test: kustomizations refer to others by relative paths only. */
    private Path seen(Path target) throws IOException {
        return folder.toRealPath().relativize(target.toRealPath());
    }

    private static List<JsonNode> render(Path folder) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("kubectl", "kustomize", folder.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String yaml = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> "kubectl kustomize " + folder);
        return Manifests.parse(yaml);
    }
}
