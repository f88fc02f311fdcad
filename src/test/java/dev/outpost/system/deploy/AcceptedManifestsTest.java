package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Await;
import dev.outpost.system.realcluster.Scripts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A real API server takes all manifests, and warns of nothing. Kinds that others define are made known to it without their schemas,
 * which other tests hold.
 */
@Tag("real-cluster")
class AcceptedManifestsTest {
    private static Scripts scripts;

    @TempDir
    private static Path folder;

    /** A kind that others define. */
    private record Kind(String group, String plural, String name, boolean isNamespaced, List<String> versions) {
        String definition() {
            String all = versions.stream()
                    .map(
                            version -> "{name: " + version + ", served: true, storage: "
                                    + version.equals(versions.getFirst())
                                    + ", schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}")
                    .collect(Collectors.joining(", "));
            return """
                    apiVersion: apiextensions.k8s.io/v1
                    kind: CustomResourceDefinition
                    metadata:
                      name: %s.%s
                      labels: {outpost.test/accepted: "true"}
                      annotations: {api-approved.kubernetes.io: "unapproved, for a test"}
                    spec:
                      group: %s
                      scope: %s
                      names: {plural: %s, kind: %s}
                      versions: [%s]
                    """.formatted(plural, group, group, isNamespaced ? "Namespaced" : "Cluster", plural, name, all);
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("monitoring.coreos.com", "servicemonitors", "ServiceMonitor", true, List.of("v1")),
            new Kind("monitoring.coreos.com", "podmonitors", "PodMonitor", true, List.of("v1")),
            new Kind("monitoring.coreos.com", "prometheusrules", "PrometheusRule", true, List.of("v1")),
            new Kind("gateway.networking.k8s.io", "tlsroutes", "TLSRoute", true, List.of("v1", "v1alpha2")),
            new Kind("kueue.x-k8s.io", "clusterqueues", "ClusterQueue", false, List.of("v1beta2")),
            new Kind("kueue.x-k8s.io", "localqueues", "LocalQueue", true, List.of("v1beta2")),
            new Kind("kueue.x-k8s.io", "resourceflavors", "ResourceFlavor", false, List.of("v1beta2")),
            new Kind("karpenter.sh", "nodepools", "NodePool", false, List.of("v1")),
            new Kind("karpenter.k8s.aws", "ec2nodeclasses", "EC2NodeClass", false, List.of("v1")));

    @BeforeAll
    static void defineKinds() throws IOException {
        scripts = Scripts.open();
        scripts.run("backend", "serving");
        Path file = folder.resolve("kinds.yaml");
        Files.writeString(file, KINDS.stream().map(Kind::definition).collect(Collectors.joining("---\n")));
        scripts.kubectl("apply", "-f", file.toString());
        for (Kind kind : KINDS) {
            Await.until(
                    kind.name() + " is known",
                    () -> scripts.succeeds(
                            "client", "-u", "admin", "kubectl", "get", kind.plural() + "." + kind.group()));
        }
    }

    @AfterAll
    static void forgetKinds() {
        if (scripts != null) {
            scripts.kubectl("delete", "customresourcedefinitions", "-l", "outpost.test/accepted=true");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "base,",
        "backend,",
        "serving,",
        "monitoring,",
        "overlays/local-cpu,",
        "overlays/gke,",
        "overlays/eks,",
        "overlays/eks/karpenter,",
        "overlays/kueue,",
        "base, monitoring",
        "base, node-reader",
        "base, quota",
        "base, labelled-clients",
        "base, openshift",
        "backend, openshift",
        "serving, openshift",
        "backend, more-clusters",
        "backend, relay-gateway",
        "backend, relay-gateway-1.4"
    })
    void apiServerTakesThemWithoutAWarning(String manifests, String component) {
        Path applied = DeployFolder.ROOT.resolve(manifests).toAbsolutePath();
        if (component != null) {
            applied = scripts.kustomization(
                    "accepted-" + manifests + "-" + component,
                    "resources: [../../../deploy/%s]\ncomponents: [../../../deploy/components/%s]\n"
                            .formatted(manifests, component));
        }
        String printed = scripts.kubectl("apply", "--dry-run=server", "-k", applied.toString(), "--warnings-as-errors");
        assertEquals(
                List.of(),
                printed.lines()
                        .filter(line -> !line.endsWith("(server dry run)"))
                        .toList());
    }
}
