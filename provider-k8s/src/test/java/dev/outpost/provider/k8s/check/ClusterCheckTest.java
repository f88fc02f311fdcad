package dev.outpost.provider.k8s.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.check.ClusterFinding.State;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ClusterCheckTest {
    private static final String NAMESPACE = "/api/v1/namespaces/outpost";
    private static final String IMAGE = "ghcr.io/outpost-dev/runtime:0.1.0";
    private static final ClusterQuestions QUESTIONS =
            new ClusterQuestions("outpost", true, false, List.of(IMAGE), List.of(), List.of());

    private final FakeCluster cluster = new FakeCluster();

    @BeforeEach
    void fill() {
        cluster.answer(
                NAMESPACE,
                200,
                new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("outpost")
                        .endMetadata()
                        .build());
        cluster.forbid("/api/v1/nodes", "list", "nodes");
        cluster.forbid("/api/v1/pods", "list", "pods");
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private List<ClusterFinding> run(ClusterQuestions questions) {
        try (KubernetesClient client = cluster.client()) {
            return new ClusterCheck(client, questions).run();
        }
    }

    private ClusterFinding find(String what, ClusterQuestions questions) {
        return run(questions).stream()
                .filter(finding -> finding.what().equals(what))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void suitableClusterPasses() {
        assertEquals(
                List.of(
                        ClusterFinding.ok("cluster", "this cluster at " + cluster.url() + ", Kubernetes v1.33.1"),
                        ClusterFinding.ok("namespace", "outpost"),
                        ClusterFinding.ok("permissions", "all 26 that machines need, in namespace outpost"),
                        ClusterFinding.unknown(
                                "image",
                                IMAGE
                                        + " is a valid name, no credentials are set for it; only a node finds"
                                        + " out whether it can be pulled",
                                "")),
                run(QUESTIONS));
    }

    @Test
    void unreachableClusterEndsTheCheck() {
        String url = cluster.url();
        try (KubernetesClient client = cluster.client()) {
            cluster.stop();
            List<ClusterFinding> findings = new ClusterCheck(client, QUESTIONS).run();
            assertEquals(1, findings.size());
            ClusterFinding finding = findings.getFirst();
            assertEquals(State.PROBLEM, finding.state());
            assertTrue(
                    finding.sentence().startsWith("the API server takes no connections: Connection refused"),
                    () -> finding + " of " + url);
            assertEquals(
                    "Check that the cluster runs, and the server of the context in the kubeconfig.", finding.remedy());
        }
    }

    @Test
    void rejectedCredentialsAreReported() {
        cluster.answer(
                "/version",
                401,
                FakeCluster.status(401, "Unauthorized", "Unauthorized").build());
        assertEquals(
                List.of(ClusterFinding.problem(
                        "cluster",
                        "the API server does not accept the credentials: Unauthorized",
                        "They may have expired: log in again, and check the user of the context in the kubeconfig.")),
                run(QUESTIONS));
    }

    @Test
    void anOldClusterIsAWarning() {
        cluster.answer("/version", 200, "{\"major\":\"1\",\"minor\":\"24+\",\"gitVersion\":\"v1.24.9-eks\"}");
        ClusterFinding finding = find("cluster", QUESTIONS);
        assertEquals(State.WARNING, finding.state());
        assertEquals(
                "this cluster at " + cluster.url() + ", Kubernetes v1.24.9-eks, older than 1.25", finding.sentence());
    }

    @Test
    void aNamespaceThatDoesNotExistIsAProblem() {
        cluster.answer(
                NAMESPACE,
                404,
                FakeCluster.status(404, "NotFound", "namespaces \"outpost\" not found")
                        .withNewDetails()
                        .withKind("namespaces")
                        .withName("outpost")
                        .endDetails()
                        .build());
        assertEquals(
                ClusterFinding.problem(
                        "namespace",
                        "no such namespace: outpost",
                        "Create it (kubectl apply -k deploy/base), or set outpost.k8s.namespace."),
                find("namespace", QUESTIONS));
    }

    @Test
    void aNamespaceThatMayNotBeReadIsTried() {
        cluster.forbid(NAMESPACE, "get", "namespaces");
        cluster.answer("POST " + NAMESPACE + "/secrets", 201, "{\"kind\":\"Secret\",\"apiVersion\":\"v1\"}");
        assertEquals(ClusterFinding.ok("namespace", "outpost"), find("namespace", QUESTIONS));
        cluster.answer(
                "POST " + NAMESPACE + "/secrets",
                404,
                FakeCluster.status(404, "NotFound", "namespaces \"outpost\" not found")
                        .build());
        assertEquals(State.PROBLEM, find("namespace", QUESTIONS).state());
        cluster.forbid("POST " + NAMESPACE + "/secrets", "create", "secrets");
        assertEquals(
                ClusterFinding.unknown(
                        "namespace",
                        "whether outpost exists may not be asked: forbidden: ada may not create secrets at the cluster"
                                + " scope",
                        ""),
                find("namespace", QUESTIONS));
    }

    @Test
    void aNamespaceThatIsBeingDeletedIsAProblem() {
        cluster.answer(
                NAMESPACE,
                200,
                new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("outpost")
                        .endMetadata()
                        .withNewStatus()
                        .withPhase("Terminating")
                        .endStatus()
                        .build());
        assertEquals("outpost is being deleted", find("namespace", QUESTIONS).sentence());
    }

    @Test
    void everyMissingPermissionIsNamed() {
        cluster.deny("patch jobs.batch", "delete jobs.batch", "watch pods", "get pods/log", "create pods/portforward");
        assertEquals(
                ClusterFinding.problem(
                        "permissions",
                        "this user may not patch/delete jobs.batch, watch pods, get pods/log, create"
                                + " pods/portforward in"
                                + " namespace outpost",
                        "Have an administrator apply deploy/base and bind its Role to this user."),
                find("permissions", QUESTIONS));
    }

    @Test
    void portForwardPermissionIsCheckedOnlyWhereUsed() {
        cluster.deny("create pods/portforward", "get pods/portforward");
        ClusterQuestions inside = new ClusterQuestions("outpost", false, false, List.of(), List.of(), List.of());
        assertEquals(
                ClusterFinding.ok("permissions", "all 24 that machines need, in namespace outpost"),
                find("permissions", inside));
    }

    @Test
    void missingKueuePermissionIsReported() {
        cluster.deny("list workloads.kueue.x-k8s.io");
        ClusterQuestions queued = new ClusterQuestions("outpost", true, true, List.of(), List.of(), List.of());
        assertEquals(
                ClusterFinding.warning(
                        "permissions for Kueue",
                        "this user may not list workloads.kueue.x-k8s.io: a start cannot report why it waits in its"
                                + " queue",
                        "Apply deploy/overlays/kueue, whose Role has them."),
                find("permissions for Kueue", queued));
        assertTrue(run(QUESTIONS).stream().noneMatch(finding -> finding.what().equals("permissions for Kueue")));
    }

    @Test
    void unreviewablePermissionsAreUnknown() {
        cluster.answer(
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                500,
                FakeCluster.status(500, "InternalError", "etcdserver: request timed out")
                        .build());
        assertEquals(
                ClusterFinding.unknown(
                        "permissions",
                        "may not be asked: the API server failed (500): etcdserver: request timed out",
                        "If it stays, ask the operator of the cluster."),
                find("permissions", QUESTIONS));
    }
}
