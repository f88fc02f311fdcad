package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Await;
import dev.outpost.system.deploy.NetworkPathsTest.Row;
import dev.outpost.system.realcluster.Scripts;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real cluster lets through the paths of the table in deploy/README.md, and no others. Pods with the labels of ours stand at the
 * ends; they are never ready, so that no Service sends anything to them. Addresses outside of the cluster are given to the node.
 */
@Tag("real-cluster")
class EnforcedPathsTest {
    private static final String[] PORTS = {"5005", "5432", "8000", "8080", "8443", "8750", "9090", "50051", "50052"};

    private static final Map<String, Place> PODS = Map.of(
            "any pod", new Place("paths-shop", "path-any", "app.kubernetes.io/name: shop"),
            "Prometheus", new Place("monitoring", "path-prometheus", "app.kubernetes.io/name: prometheus"),
            "machine", new Place("outpost", "path-machine", "app.kubernetes.io/name: outpost-machine"),
            "another machine", new Place("outpost", "path-machine-2", "app.kubernetes.io/name: outpost-machine"),
            "backend", new Place("outpost-backend", "path-backend", "app.kubernetes.io/name: outpost-backend"),
            "relay", new Place("outpost-backend", "path-relay", "app.kubernetes.io/name: outpost-relay"),
            "serving", new Place("outpost-serving", "path-serving", "app.kubernetes.io/name: outpost-serving"));

    private static final Map<String, String> ADDRESSES = Map.of(
            "DNS cache of the node", "169.254.20.10",
            "public address", "52.216.1.1",
            "private address", "10.1.2.3",
            "metadata service", "169.254.169.254",
            "API server", "10.240.0.1",
            "PostgreSQL", "10.240.0.1");

    /** Where the node listens for those addresses. An answer by UDP must come from the address that was asked. */
    private static final String[] NODE_PORTS = {"169.254.20.10:53", "80", "443"};

    /** A pod that stands for others with its labels. */
    private record Place(String namespace, String name, String labels) {
        String manifest() {
            return """
                    apiVersion: v1
                    kind: Pod
                    metadata: {namespace: %s, name: %s, labels: {%s, outpost.test/paths: "true"}}
                    spec:
                      enableServiceLinks: false
                      automountServiceAccountToken: false
                      terminationGracePeriodSeconds: 0
                      securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
                      containers:
                        - name: main
                          image: localhost/probe:1
                          imagePullPolicy: Never
                          args: [serve, "%s"]
                          readinessProbe: {tcpSocket: {port: 1}, periodSeconds: 3600}
                          securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
                    """.formatted(namespace, name, labels, String.join("\", \"", PORTS));
        }
    }

    @TempDir
    private Path folder;

    private final Scripts scripts = Scripts.open();
    private final Map<String, String> addresses = new HashMap<>(ADDRESSES);

    @AfterEach
    void removeAll() {
        scripts.kubectl("delete", "pods", "-A", "-l", "outpost.test/paths=true", "--wait=false");
        scripts.kubectl("delete", "networkpolicies", "-A", "-l", "outpost.test/paths=true", "--wait=false");
        scripts.kubectl("delete", "namespaces", "-l", "outpost.test/paths=true", "--wait=false");
        scripts.run("node", "pkill", "-f", "probe serve 169");
    }

    @Test
    void eachPathIsAsTheTableSays() throws IOException {
        scripts.run("backend", "serving");
        begin();
        List<Row> rows = NetworkPathsTest.rows().stream()
                .filter(row -> !row.to().contains("IPv6"))
                .toList();
        checkListeners(rows);
        check(rows.stream().filter(row -> !isMonitored(row)).toList());
        applyMonitoring();
        check(rows.stream().filter(EnforcedPathsTest::isMonitored).toList());
    }

    private static boolean isMonitored(Row row) {
        return row.applied().stream().anyMatch(name -> name.contains("monitoring"));
    }

    private void begin() throws IOException {
        for (String address : List.of("169.254.20.10", "52.216.1.1", "10.1.2.3", "169.254.169.254")) {
            if (!scripts.run("node", "ip", "address", "show", "dev", "lo").contains(address)) {
                scripts.run("node", "ip", "address", "add", address + "/32", "dev", "lo");
            }
        }
        scripts.run(
                "node", "bash", "-c", "probe serve " + String.join(" ", NODE_PORTS) + " >/dev/null 2>&1 </dev/null &");
        StringBuilder manifests = new StringBuilder();
        for (String namespace : List.of("paths-shop", "monitoring")) {
            manifests
                    .append(
                            "apiVersion: v1\nkind: Namespace\nmetadata: {labels: {outpost.test/paths: \"true\"}, name: ")
                    .append(namespace)
                    .append("}\n---\n");
        }
        PODS.values().forEach(place -> manifests.append(place.manifest()).append("---\n"));
        apply("pods", manifests.toString());
        PODS.forEach((end, place) -> {
            Await.until(
                    end + " runs",
                    () -> !status(place, "{.status.containerStatuses[0].state.running}")
                            .isEmpty());
            addresses.put(end, status(place, "{.status.podIP}"));
        });
        addresses.put(
                "DNS of the cluster",
                scripts.kubectl(
                        "-n",
                        "kube-system",
                        "get",
                        "pods",
                        "-l",
                        "k8s-app=kube-dns",
                        "-o",
                        "jsonpath={.items[0].status.podIP}"));
    }

    private String status(Place place, String path) {
        return scripts.kubectl("-n", place.namespace(), "get", "pod", place.name(), "-o", "jsonpath=" + path);
    }

    private void apply(String name, String manifests) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".yaml"), manifests);
        scripts.kubectl("apply", "--server-side", "-f", file.toString());
    }

    private void applyMonitoring() throws IOException {
        StringBuilder policies = new StringBuilder();
        Stream.of(DeployFolder.component("monitoring"), DeployFolder.ROOT.resolve("monitoring"))
                .flatMap(path -> Kustomization.objects(path).stream())
                .map(Manifests::model)
                .filter(NetworkPolicy.class::isInstance)
                .map(NetworkPolicy.class::cast)
                .forEach(policy -> {
                    if (policy.getMetadata().getNamespace() == null) {
                        policy.getMetadata().setNamespace("outpost");
                    }
                    policy.getMetadata().setLabels(Map.of("outpost.test/paths", "true"));
                    policies.append(Serialization.asYaml(policy)).append("---\n");
                });
        apply("monitoring", policies.toString());
    }

    /** No path is refused because a listener is missing: the node, which no policy concerns, reaches all of them. */
    private void checkListeners(List<Row> rows) {
        rows.stream()
                .filter(row -> row.port() != 53)
                .map(row -> addresses.get(row.to()) + ":" + row.port())
                .distinct()
                .forEach(target -> Await.until(
                        "there is a listener at " + target,
                        () -> scripts.succeeds("node", "probe", "connect", target)));
    }

    /** All at a time; a policy that was just applied takes a moment. */
    private void check(List<Row> rows) {
        Map<String, Boolean> expected = new HashMap<>();
        rows.forEach(row -> expected.put(row.toString(), row.isAllowed()));
        Map<String, Boolean> seen = new HashMap<>();
        Await.until(() -> differences(expected, seen).toString(), () -> {
            for (Row row : rows) {
                if (seen.get(row.toString()) == null || seen.get(row.toString()) != row.isAllowed()) {
                    seen.put(row.toString(), isLetThrough(row));
                }
            }
            return expected.equals(seen);
        });
        assertEquals(expected, seen);
    }

    private static Map<String, Boolean> differences(Map<String, Boolean> expected, Map<String, Boolean> seen) {
        Map<String, Boolean> differences = new HashMap<>(seen);
        differences.entrySet().removeAll(expected.entrySet());
        return differences;
    }

    private boolean isLetThrough(Row row) {
        String verb = row.protocol().equals("UDP") ? "query" : "connect";
        String target = addresses.get(row.to()) + ":" + row.port();
        if (row.from().equals("outside")) {
            return scripts.succeeds("client", scripts.home("bin/probe").toString(), verb, target);
        }
        Place place = PODS.get(row.from());
        return scripts.succeeds(
                "client",
                "-u",
                "admin",
                "kubectl",
                "-n",
                place.namespace(),
                "exec",
                place.name(),
                "--",
                "/probe",
                verb,
                target);
    }
}
