package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.system.deploy.NetworkPaths.End;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of paths in deploy/README.md is what the NetworkPolicies do, and every rule of theirs is in it. */
@Tag("quick")
class NetworkPathsTest {
    private static final Map<String, Path> FOLDERS = Map.of(
            "base", DeployFolder.BASE,
            "backend", DeployFolder.ROOT.resolve("backend"),
            "serving", DeployFolder.ROOT.resolve("serving"),
            "components/monitoring", DeployFolder.component("monitoring"),
            "monitoring", DeployFolder.ROOT.resolve("monitoring"));

    private static final Map<String, End> ENDS = Map.ofEntries(
            Map.entry("any pod", End.pod("shop", Map.of())),
            Map.entry("another machine", ours("outpost", "machine")),
            Map.entry("machine", ours("outpost", "machine")),
            Map.entry("backend", ours("outpost-backend", "backend")),
            Map.entry("relay", ours("outpost-backend", "relay")),
            Map.entry("serving", ours("outpost-serving", "serving")),
            Map.entry("Prometheus", End.pod("monitoring", Map.of("app.kubernetes.io/name", "prometheus"))),
            Map.entry("DNS of the cluster", End.pod("kube-system", Map.of("k8s-app", "kube-dns"))),
            Map.entry("DNS cache of the node", End.address("169.254.20.10")),
            Map.entry("outside", End.address("203.0.113.7")),
            Map.entry("public address", End.address("52.216.1.1")),
            Map.entry("public IPv6 address", End.address("2600:1fa0::1")),
            Map.entry("private address", End.address("10.1.2.3")),
            Map.entry("API server", End.address("10.0.0.1")),
            Map.entry("PostgreSQL", End.address("10.1.2.4")),
            Map.entry("metadata service", End.address("169.254.169.254")));

    /** A row of the table. */
    record Row(List<String> applied, String from, String to, int port, String protocol, boolean isAllowed) {
        static Row of(String line) {
            String[] cells = line.substring(1).split("\\|");
            String[] port = cells[3].strip().split("/");
            return new Row(
                    List.of(cells[0].strip().replace("`", "").split(", ")),
                    cells[1].strip(),
                    cells[2].strip(),
                    Integer.parseInt(port[0]),
                    port.length == 1 ? "TCP" : port[1],
                    switch (cells[4].strip()) {
                        case "yes" -> true;
                        case "no" -> false;
                        default -> throw new AssertionError("expected yes or no, got " + line);
                    });
        }
    }

    private static End ours(String namespace, String name) {
        return End.pod(namespace, Map.of("app.kubernetes.io/name", "outpost-" + name));
    }

    static List<Row> rows() {
        List<Row> rows = DeployFolder.read(DeployFolder.ROOT.resolve("README.md"))
                .lines()
                .dropWhile(line -> !line.equals("<!-- network paths -->"))
                .takeWhile(line -> !line.equals("<!-- end of network paths -->"))
                .filter(line -> line.startsWith("| `"))
                .map(Row::of)
                .toList();
        assertTrue(rows.size() > 30, "the table of deploy/README.md is missing");
        return rows;
    }

    private static NetworkPaths paths(List<String> applied) {
        return new NetworkPaths(applied.stream()
                .flatMap(name -> Kustomization.objects(FOLDERS.get(name)).stream())
                .map(Manifests::model)
                .filter(NetworkPolicy.class::isInstance)
                .map(NetworkPolicy.class::cast)
                .toList());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void pathIsAsTheTableSays(Row row) {
        assertEquals(
                row.isAllowed(),
                paths(row.applied()).allows(ENDS.get(row.from()), ENDS.get(row.to()), row.protocol(), row.port()));
    }

    @Test
    void everyRuleIsInTheTable() {
        Set<String> rules = new TreeSet<>();
        Map<List<String>, NetworkPaths> byManifests = new HashMap<>();
        for (Row row : rows()) {
            NetworkPaths paths = byManifests.computeIfAbsent(row.applied(), NetworkPathsTest::paths);
            rules.addAll(paths.rules());
            if (row.isAllowed()) {
                assertTrue(paths.allows(ENDS.get(row.from()), ENDS.get(row.to()), row.protocol(), row.port()));
            }
        }
        Set<String> used = byManifests.values().stream()
                .flatMap(paths -> paths.used().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(rules, used);
        assertTrue(rules.containsAll(paths(Stream.of("backend", "serving", "components/monitoring", "monitoring")
                        .toList())
                .rules()));
    }
}
