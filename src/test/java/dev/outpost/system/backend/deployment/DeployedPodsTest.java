package dev.outpost.system.backend.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.seal.SealKeys;
import dev.outpost.relay.name.RelaySecret;
import dev.outpost.simulated.kubernetes.TestCluster;
import dev.outpost.simulated.kubernetes.node.ProcessRunner;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.server.TestCertificateAuthority;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the programs of deploy/, with the variables, Secrets and Services that their pods have on a cluster. */
class DeployedPodsTest {
    private static final Path DEPLOY = Path.of("../../deploy");
    private static final String BACKEND = "outpost-backend";
    private static final List<String> JAVA = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx384m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC");
    private static final Map<String, List<String>> PROGRAMS = Map.of(
            BACKEND,
            List.of("-jar", System.getProperty("outpost.backend.jar")),
            "outpost-relay",
            List.of("-cp", System.getProperty("java.class.path"), "dev.outpost.relay.RelayMain"),
            "outpost-serving",
            List.of("-jar", System.getProperty("outpost.serving.jar")));

    @TempDir
    private Path folder;

    private final TestCluster cluster = TestCluster.start();
    private final KubernetesClient client = cluster.client();

    private <T extends HasMetadata> Stream<T> all(Class<T> type) {
        return Stream.of("backend/backend.yaml", "backend/relay.yaml", "serving/serving.yaml")
                .flatMap(file -> read(DEPLOY.resolve(file)).stream())
                .filter(type::isInstance)
                .map(type::cast);
    }

    private List<HasMetadata> read(Path file) {
        try (InputStream content = Files.newInputStream(file)) {
            return client.load(content).items();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @BeforeEach
    void addServicesAndSecrets() throws IOException {
        List.of(BACKEND, "outpost-serving").forEach(cluster::addNamespace);
        all(Service.class).forEach(service -> client.resource(service).create());
        Path keys = Files.createDirectories(folder.resolve("keys"));
        TestCertificateAuthority authority = new TestCertificateAuthority("backends");
        authority.vouchFor("outpost-backend.outpost-backend.svc", keys);
        addSecret(
                "outpost-backend-tls",
                Map.of(
                        "tls.crt", Files.readString(keys.resolve("certificate.pem")),
                        "tls.key", Files.readString(keys.resolve("key.pem")),
                        "ca.crt", authority.certificates()));
        addSecret(
                BACKEND,
                Map.of(
                        "admin-key", "op_0123456789_" + "x".repeat(43),
                        "relay-secret", RelaySecret.draw(new SecureRandom()).text(),
                        "management-key", "m".repeat(64),
                        "seal-key", SealKeys.draw(new SecureRandom())));
    }

    private void addSecret(String name, Map<String, String> data) {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(BACKEND)
                        .endMetadata()
                        .withStringData(new HashMap<>(data))
                        .build())
                .create();
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** @param links the value of {@code enableServiceLinks}; null for the manifest's value */
    private Pod create(String name, Boolean links) {
        List<String> command =
                Stream.concat(JAVA.stream(), PROGRAMS.get(name).stream()).toList();
        cluster.runWith(new ProcessRunner(command));
        Deployment deployment = all(Deployment.class)
                .filter(one -> one.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
        Pod pod = new PodBuilder()
                .withNewMetadataLike(deployment.getSpec().getTemplate().getMetadata())
                .withName(name + "-1")
                .withNamespace(deployment.getMetadata().getNamespace())
                .endMetadata()
                .withSpec(deployment.getSpec().getTemplate().getSpec())
                .editSpec()
                .withRestartPolicy("Never")
                .endSpec()
                .build();
        if (links != null) {
            pod.getSpec().setEnableServiceLinks(links);
        }
        // Pods share the network of this host, so a relay listens on its pod's address only.
        pod.getSpec().getContainers().getFirst().getEnv().add(new EnvVar("OUTPOST_RELAY_HOST", "0.0.0.0", null));
        return client.resource(pod).create();
    }

    private Pod present(Pod pod) {
        return client.resource(pod).get();
    }

    private String log(Pod pod) {
        return client.pods().resource(present(pod)).getLog();
    }

    private void awaitReady(Pod pod) {
        Await.until(() -> present(pod).getStatus() + "\n" + log(pod), () -> Readiness.isPodReady(present(pod)));
    }

    @Test
    void relayBecomesReady() {
        awaitReady(create("outpost-relay", null));
    }

    @Test
    void backendBecomesReadyAndMissesNoSetting() throws IOException {
        Path data = folder.resolve("first");
        try (BackendHost first = BackendHost.start(data)) {
            BackendHost.DatabaseAccess database = BackendHost.DatabaseAccess.of(data);
            addSecret(
                    "outpost-database",
                    Map.of("url", database.url(), "user", database.user(), "password", database.password()));
            Pod pod = create(BACKEND, null);
            awaitReady(pod);
            assertTrue(!log(pod).contains("is not set"), () -> log(pod));
            client.resource(pod).delete();
            Await.until("the pod is gone", () -> present(pod) == null);
        }
    }

    /** Without {@code enableServiceLinks: false}, the Service of the same name sets the variable of the port. */
    @ParameterizedTest
    @ValueSource(strings = {BACKEND, "outpost-relay", "outpost-serving"})
    void programThatTakesAServiceLinkForAPortSaysSo(String name) {
        addSecret("outpost-database", Map.of("url", "jdbc:postgresql://nowhere/outpost", "user", "u", "password", "p"));
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("outpost-serving-keys")
                        .withNamespace("outpost-serving")
                        .endMetadata()
                        .withStringData(Map.of("keys", "secret"))
                        .build())
                .create();
        Pod pod = create(name, true);
        Await.until(
                () -> present(pod).getStatus() + "\n" + log(pod),
                () -> present(pod).getStatus().getPhase().equals("Failed"));
        String variable = name.toUpperCase(java.util.Locale.ROOT).replace('-', '_') + "_PORT";
        assertEquals(
                1,
                log(pod).lines()
                        .filter(line -> line.contains("enableServiceLinks: false"))
                        .count(),
                log(pod));
        assertTrue(log(pod).contains(variable + " is \"tcp://"), () -> log(pod));
    }
}
