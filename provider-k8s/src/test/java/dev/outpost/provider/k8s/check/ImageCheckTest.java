package dev.outpost.provider.k8s.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.check.ClusterFinding.State;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ImageCheckTest {
    private static final String SECRETS = "/api/v1/namespaces/outpost/secrets/";

    private final FakeCluster cluster = new FakeCluster();

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private static Secret secret(String type, String key, String content) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName("registry")
                .endMetadata()
                .withType(type)
                .addToData(key, Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    private static Secret login(String... hosts) {
        String auths = String.join(
                ",",
                Stream.of(hosts)
                        .map(host -> "\"" + host + "\":{\"auth\":\"czNjcmV0\"}")
                        .toList());
        return secret("kubernetes.io/dockerconfigjson", ".dockerconfigjson", "{\"auths\":{" + auths + "}}");
    }

    private PullSecretCheck checked(String name) {
        try (KubernetesClient client = cluster.client()) {
            PullSecretCheck check = new PullSecretCheck(client, "outpost");
            check.run(name);
            return check;
        }
    }

    private static ClusterFinding image(String image, PullSecret... secrets) {
        return new ImageCheck(List.of(secrets), Optional.empty()).run(image);
    }

    @Test
    void imageNamesAreParsedLikeContainerRuntimesDo() {
        assertEquals(Optional.of(new ImageName("docker.io", "library/debian", ":latest")), ImageName.parse("debian"));
        assertEquals(Optional.of(new ImageName("docker.io", "acme/runtime", ":1")), ImageName.parse("acme/runtime:1"));
        assertEquals(
                Optional.of(new ImageName("localhost:5000", "runtime", ":dev")),
                ImageName.parse("localhost:5000/runtime:dev"));
        assertEquals(
                Optional.of(new ImageName("registry:5000", "a/b-c", ":1.0")),
                ImageName.parse("registry:5000/a/b-c:1.0"));
        String digest = "@sha256:" + "0123456789abcdef".repeat(4);
        assertEquals(
                Optional.of(new ImageName("ghcr.io", "acme/runtime", digest)),
                ImageName.parse("ghcr.io/acme/runtime:1" + digest));
        for (String wrong : List.of("Ghcr.io/Acme/Runtime", "acme/runtime:", "acme//runtime", "-x", "a b", "")) {
            assertEquals(Optional.empty(), ImageName.parse(wrong), wrong);
        }
    }

    @Test
    void imageCachedOnANodePasses() {
        Nodes nodes = new Nodes(
                List.of(
                        new NodeBuilder()
                                .withNewStatus()
                                .addNewImage()
                                .withNames("docker.io/acme/runtime:1")
                                .endImage()
                                .endStatus()
                                .build(),
                        new NodeBuilder().withNewStatus().endStatus().build()),
                Optional.empty());
        assertEquals(
                ClusterFinding.ok("image", "acme/runtime:1 is on 1 of 2 nodes"),
                new ImageCheck(List.of(), Optional.of(nodes)).run("acme/runtime:1"));
        assertEquals(
                State.UNKNOWN,
                new ImageCheck(List.of(), Optional.of(nodes))
                        .run("acme/runtime:2")
                        .state());
    }

    @Test
    void malformedImageNameIsAProblem() {
        assertEquals(
                ClusterFinding.problem(
                        "image",
                        "not an image name: Acme/Runtime",
                        "Correct outpost.k8s.image: it reads like registry.example.com/team/runtime:1.0, in"
                                + " lower case."),
                image("Acme/Runtime"));
    }

    @Test
    void credentialsAreForTheRegistry() {
        PullSecret secret =
                PullSecret.of(login("ghcr.io", "https://index.docker.io/v1/")).orElseThrow();
        assertEquals(
                "ghcr.io/acme/runtime:1 is a valid name, there are credentials for ghcr.io; only a node finds"
                        + " out whether it can be pulled",
                image("ghcr.io/acme/runtime:1", secret).sentence());
        assertTrue(secret.isFor("docker.io"));
        assertEquals(
                ClusterFinding.warning(
                        "image",
                        "quay.io/acme/runtime:1: no pull secret has credentials for quay.io",
                        "Add them to a Secret of outpost.k8s.image-pull-secrets, unless the registry asks for none."),
                image("quay.io/acme/runtime:1", secret));
    }

    @Test
    void pullSecretShowsItsRegistriesAndNoPassword() {
        cluster.answer(SECRETS + "registry", 200, login("quay.io", "ghcr.io"));
        PullSecretCheck check = checked("registry");
        assertEquals(List.of(ClusterFinding.ok("pull secret", "registry, for ghcr.io, quay.io")), check.findings());
        assertFalse(check.found().toString().contains("czNjcmV0"));
    }

    @Test
    void aPullSecretOfTheOldTypeIsReadToo() {
        Secret old = secret("kubernetes.io/dockercfg", ".dockercfg", "{\"https://quay.io\":{\"auth\":\"czNjcmV0\"}}");
        assertEquals(
                Optional.of(new PullSecret("registry", Map.of("quay.io", "").keySet())), PullSecret.of(old));
    }

    @Test
    void secretOfAnotherTypeIsAProblem() {
        cluster.answer(SECRETS + "registry", 200, secret("Opaque", "password", "s3cret"));
        assertEquals(
                List.of(ClusterFinding.problem(
                        "pull secret",
                        "registry holds no credentials for registries, its type is Opaque",
                        "Create it with kubectl create secret docker-registry, or correct"
                                + " outpost.k8s.image-pull-secrets.")),
                checked("registry").findings());
        assertEquals(
                Optional.empty(),
                PullSecret.of(secret("kubernetes.io/dockerconfigjson", ".dockerconfigjson", "{\"auths\":")));
    }

    @Test
    void aPullSecretThatDoesNotExistIsAProblem() {
        assertEquals(
                "no such Secret: registry in namespace outpost",
                checked("registry").findings().getFirst().sentence());
    }

    @Test
    void aPullSecretThatMayNotBeReadIsUnknown() {
        cluster.forbid(SECRETS + "registry", "get", "secrets");
        assertEquals(
                ClusterFinding.unknown(
                        "pull secret",
                        "registry may not be read: forbidden: ada may not get secrets at the cluster scope",
                        "Have an administrator apply deploy/base and bind its Role to this user (./outpost doctor lists"
                                + " what is missing)."),
                checked("registry").findings().getFirst());
    }
}
