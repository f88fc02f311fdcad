package dev.outpost.system.realcluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.provider.outpost.OutpostProvider;
import dev.outpost.rest.client.BackendAccess;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.support.tests.Await;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The backend, its relays and a server of models on the real cluster. They are deployed for the first test and stay for the others. */
final class DeployedBackend {
    private static final Pattern VARIABLE = Pattern.compile("export ([A-Z_]+)=(.*)");

    /** Options of the cluster that has a kubelet: its machines ask for no GPU, and share two processors. */
    static final Map<String, String> SMALL = Map.of("cpu", "200m", "memory", "1Gi", "resource-name", "");

    final Scripts scripts;
    private final Map<String, String> variables;

    private DeployedBackend(Scripts scripts, Map<String, String> variables) {
        this.scripts = scripts;
        this.variables = variables;
    }

    static DeployedBackend open() {
        Scripts scripts = Scripts.open();
        Map<String, String> variables = VARIABLE.matcher(scripts.run("backend", "serving"))
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
        return new DeployedBackend(scripts, variables);
    }

    BackendAccess access() {
        return BackendAccess.of(variables.get("OUTPOST_API"), variables.get("OUTPOST_API_KEY"))
                .withAuthority(Path.of(variables.get("OUTPOST_API_CA")));
    }

    /** The variables that a program needs to find the backend. */
    Map<String, String> environment() {
        return variables;
    }

    BackendClient client() {
        return new BackendClient(access());
    }

    OutpostProvider provider() {
        return new OutpostProvider(this::access);
    }

    String servingAddress() {
        return variables.get("OUTPOST_REAL_CLUSTER_SERVING");
    }

    String servingKey() {
        return variables.get("OUTPOST_REAL_CLUSTER_SERVING_KEY");
    }

    void await(Supplier<String> state, BooleanSupplier condition) {
        Await.until(state, condition::getAsBoolean);
    }

    void awaitRollout(String namespace, String deployment) {
        scripts.kubectl("-n", namespace, "rollout", "status", "deployment/" + deployment, "--timeout=180s");
    }

    /**
     * Adds a Kubernetes cluster with machines that compute on its CPUs, or changes it. If the cluster has a relay, it keeps the relay.
     *
     * @param options the options in addition to those of all clusters
     */
    void putCluster(String name, String state, Map<String, String> options) {
        Map<String, String> all = new HashMap<>(Map.of(
                "namespace", "outpost",
                "endpoint", "pod-ip",
                "image", "localhost/outpost-runtime:cpu",
                "image-pull-policy", "never",
                "engine", "cpu"));
        all.putAll(options);
        Map<String, Object> body = new HashMap<>(Map.of("provider", "k8s", "state", state, "options", all));
        for (JsonNode cluster : client().get("/v1/clusters").path("items")) {
            if (cluster.path("name").asText().equals(name) && cluster.has("relay")) {
                body.put("relay", cluster.path("relay").asText());
            }
        }
        client().put("/v1/clusters/" + name, body);
    }

    JsonNode machines() {
        return client().get("/v1/machines").path("items");
    }

    /** Waits until the backend has no machine, and the cluster has nothing that belongs to one. */
    void awaitNothingLeft() {
        await(() -> machines().toString(), () -> machines().isEmpty());
        await(this::objects, () -> objects().isBlank());
    }

    /** The names of everything that belongs to machines. */
    String objects() {
        return scripts.kubectl(
                "-n",
                "outpost",
                "get",
                "jobs,pods,secrets,services",
                "-l",
                "app.kubernetes.io/name=outpost-machine",
                "-o",
                "name");
    }
}
