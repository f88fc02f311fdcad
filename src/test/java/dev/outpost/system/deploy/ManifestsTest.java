package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.provider.k8s.desired.MachineLabels;
import io.fabric8.kubernetes.api.model.Namespace;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every object that is applied, against the schema of its kind. */
@Tag("quick")
class ManifestsTest {
    private static final Set<String> CLUSTER_WIDE = Set.of(
            "Namespace",
            "ClusterRole",
            "ClusterRoleBinding",
            "ResourceFlavor",
            "ClusterQueue",
            "NodePool",
            "EC2NodeClass");

    /** Of machines, and of what gives them out. */
    private static final Set<String> NAMESPACES = Set.of("outpost", "outpost-backend", "outpost-serving");

    static List<Path> files() {
        return DeployFolder.yaml();
    }

    static Stream<JsonNode> objects() {
        return files().stream()
                .filter(file -> !file.endsWith(Kustomization.FILE))
                .flatMap(file -> Manifests.read(file).stream());
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyDocumentFollowsItsSchema(Path file) {
        List<JsonNode> documents = Manifests.read(file);
        assertFalse(documents.isEmpty());
        documents.forEach(Manifests::model);
    }

    @ParameterizedTest
    @MethodSource("objects")
    void theNamespaceIsSaidWhereThereIsOne(JsonNode object) {
        JsonNode namespace = object.path("metadata").path("namespace");
        if (CLUSTER_WIDE.contains(object.path("kind").asText())) {
            assertTrue(namespace.isMissingNode(), () -> Manifests.name(object));
        } else {
            assertTrue(NAMESPACES.contains(namespace.asText()), () -> Manifests.name(object));
        }
    }

    /** A sweep deletes what has the labels of machines and belongs to none. */
    @ParameterizedTest
    @MethodSource("objects")
    void noManifestCarriesTheLabelsOfMachines(JsonNode object) {
        JsonNode labels = object.path("metadata").path("labels");
        MachineLabels.ofAll().keySet().forEach(label -> assertFalse(labels.has(label), () -> Manifests.name(object)));
    }

    @Test
    void theNamespaceHoldsToTheStrictestStandard() {
        Namespace namespace = Manifests.only(Namespace.class, Kustomization.objects(DeployFolder.BASE));
        assertEquals(
                Map.of(
                        "pod-security.kubernetes.io/enforce", "restricted",
                        "pod-security.kubernetes.io/audit", "restricted",
                        "pod-security.kubernetes.io/warn", "restricted"),
                namespace.getMetadata().getLabels());
    }

    // ---- that it can fail

    @Test
    void aFieldThatTheApiDoesNotHaveIsRefusedHoweverDeep() {
        refused("""
                apiVersion: networking.k8s.io/v1
                kind: NetworkPolicy
                spec:
                  ingress:
                    - ports:
                        - protocl: TCP
                """, "Unrecognized field \"protocl\"");
    }

    @Test
    void aFieldThatACustomResourceRequiresMustBeThere() {
        refused("""
                apiVersion: kueue.x-k8s.io/v1beta2
                kind: LocalQueue
                spec: {}
                """, "Missing required creator property 'clusterQueue'");
    }

    @Test
    void aKindWithoutASchemaIsRefused() {
        refused(
                "{apiVersion: kueue.x-k8s.io/v1beta1, kind: LocalQueue}",
                "no schema for kueue.x-k8s.io/v1beta1 LocalQueue");
    }

    @Test
    void aKeyThatStandsThereTwiceIsRefused() {
        UncheckedIOException refusal =
                assertThrows(UncheckedIOException.class, () -> Manifests.parse("kind: Role\nkind: Role\n"));
        assertTrue(refusal.getMessage().contains("Duplicate field 'kind'"), refusal::getMessage);
    }

    private static void refused(String yaml, String reason) {
        JsonNode document = Manifests.parse(yaml).getFirst();
        AssertionError refusal = assertThrows(AssertionError.class, () -> Manifests.model(document));
        assertTrue(refusal.getMessage().contains(reason), refusal::getMessage);
    }
}
