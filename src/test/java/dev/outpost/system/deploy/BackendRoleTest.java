package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.ObservedFleet;
import dev.outpost.provider.k8s.KubernetesProvider;
import dev.outpost.provider.k8s.cluster.Clients;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.simulated.kubernetes.TestCluster;
import dev.outpost.simulated.kubernetes.api.RequestCounts;
import dev.outpost.simulated.kubernetes.api.Verb;
import dev.outpost.system.k8s.Timings;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The permissions of the backend on a cluster are those that it asks for there: none is missing, and none is too much.
 */
class BackendRoleTest {
    private static final List<JsonNode> OBJECTS = Kustomization.objects(DeployFolder.ROOT.resolve("backend"));
    private static final Duration TIMEOUT = Timings.ofThisRun().timeout();
    /** The permissions that an API server wants of a patch that makes an object (server-side apply). */
    private static final Set<String> FOR_APPLY = Set.of("create secrets");
    /** Asked when a start takes long, which none does here. */
    private static final Set<String> FOR_REASONS = Set.of("list events");

    /** Asked only where GPUs are devices. */
    private static final Set<String> FOR_CLAIMS =
            Set.of("create resourceclaimtemplates", "get resourceclaimtemplates", "list resourceclaims");

    private static Role role() {
        return Manifests.all(Role.class, OBJECTS).stream()
                .filter(role -> role.getMetadata().getName().equals("outpost-backend"))
                .findFirst()
                .orElseThrow();
    }

    private static Set<String> allowed() {
        Set<String> words = new TreeSet<>();
        for (PolicyRule rule : role().getRules()) {
            assertEquals(List.of(), rule.getResourceNames());
            rule.getVerbs().forEach(verb -> rule.getResources().forEach(resource -> words.add(verb + " " + resource)));
        }
        return words;
    }

    @Test
    void itMayDoWhatItDoesAndNothingElse() throws InterruptedException {
        Set<String> asked = new TreeSet<>();
        try (TestCluster cluster = TestCluster.start()) {
            drive(cluster, "pod-ip");
            drive(cluster, "service");
            asked.addAll(seen(cluster.requests()));
        }
        Set<String> needed = new TreeSet<>(asked);
        needed.addAll(FOR_APPLY);
        needed.addAll(FOR_REASONS);
        needed.addAll(FOR_CLAIMS);
        // Of the whole cluster, by components/device-reader; a start goes on without it.
        assertTrue(needed.remove("get deviceclasses"), needed::toString);
        assertEquals(needed, allowed());
    }

    /** Everything that a fleet can be asked. */
    private static void drive(TestCluster cluster, String endpoint) throws InterruptedException {
        Map<String, String> settings = new HashMap<>(cluster.options());
        settings.put("endpoint", endpoint);
        KubernetesProvider provider = new KubernetesProvider(ProviderContext.of(Clients.of(cluster.config()))
                .withSettings(options -> {
                    Map<String, String> all = new HashMap<>(settings);
                    all.putAll(options);
                    return SettingsReader.of(all);
                })
                .withPolling(Timings.ofThisRun().polling()));
        Grant grant = Grant.of("0".repeat(64));
        DesiredMachine wanted = DesiredMachine.of(
                new MachineRef("role-" + endpoint, 1), GpuCatalogue.standard().find("A100"), grant);
        try (MachineFleet fleet = provider.open("role-" + endpoint, Map.of());
                ObservedFleet observed = new ObservedFleet(fleet)) {
            fleet.ensure(wanted);
            observed.await(wanted.machine(), MachinePhase.READY, TIMEOUT);
            assertEquals(1, fleet.list().size());
            fleet.bind(wanted.machine(), Grant.of("1".repeat(64)));
            fleet.revoke(wanted.machine(), grant.tokenSha256());
            fleet.logs(wanted.machine(), false).collect().asList().await().atMost(TIMEOUT);
            fleet.end(wanted.machine());
            observed.await(wanted.machine(), MachinePhase.GONE, TIMEOUT);
        }
    }

    private static Set<String> seen(RequestCounts requests) {
        Set<String> words = new TreeSet<>();
        for (Verb verb : Verb.values()) {
            Stream.of(
                            "jobs",
                            "secrets",
                            "services",
                            "pods",
                            "pods/log",
                            "pods/portforward",
                            "events",
                            "nodes",
                            "deviceclasses")
                    .filter(resource -> requests.of(verb, resource) > 0)
                    .forEach(resource -> words.add(verb.text().toLowerCase(Locale.ROOT) + " " + resource));
        }
        long counted = words.stream()
                .map(word -> word.split(" "))
                .mapToLong(word -> requests.of(Verb.valueOf(word[0].toUpperCase(Locale.ROOT)), word[1]))
                .sum();
        assertEquals(requests.of(any -> true), counted, () -> "requests of other kinds among\n" + requests);
        return words;
    }

    @Test
    void itIsBoundToItsAccountAndReachesTheMachinesOnly() {
        RoleBinding binding = Manifests.all(RoleBinding.class, OBJECTS).stream()
                .filter(bound -> bound.getMetadata().getName().equals("outpost-backend"))
                .findFirst()
                .orElseThrow();
        assertEquals("outpost", role().getMetadata().getNamespace());
        assertEquals("outpost", binding.getMetadata().getNamespace());
        assertEquals("outpost-backend", binding.getRoleRef().getName());
        assertEquals(1, binding.getSubjects().size());
        assertEquals("outpost-backend", binding.getSubjects().getFirst().getNamespace());
        assertTrue(Manifests.all(io.fabric8.kubernetes.api.model.rbac.ClusterRole.class, OBJECTS)
                .isEmpty());
    }
}
