package dev.outpost.provider.k8s.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.SettingsReader;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No server is needed here, because clients connect with their first request. */
class ClientsTest {
    private static final String PROPERTY = "kubeconfig";
    private static final String KUBECONFIG = """
            apiVersion: v1
            kind: Config
            current-context: lab
            contexts:
            - name: lab
              context: {cluster: lab, user: ada, namespace: physics}
            - name: home
              context: {cluster: home, user: ada, namespace: default}
            clusters:
            - name: lab
              cluster: {server: "https://lab.example"}
            - name: home
              cluster: {server: "https://home.example"}
            users:
            - name: ada
              user:
                exec:
                  apiVersion: client.authentication.k8s.io/v1
                  command: sh
                  args:
                  - "-c"
                  - >-
                    touch %s;
                    echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}}'
            """;

    @TempDir
    private Path folder;

    private final String before = System.getProperty(PROPERTY);
    private final Clients clients = Clients.ofKubeconfig();
    private Path fetched;

    @BeforeEach
    void write() throws IOException {
        fetched = folder.resolve("fetched");
        Path file = folder.resolve("config");
        Files.writeString(file, KUBECONFIG.formatted(fetched));
        System.setProperty(PROPERTY, file.toString());
    }

    @AfterEach
    void reset() {
        if (before == null) {
            System.clearProperty(PROPERTY);
        } else {
            System.setProperty(PROPERTY, before);
        }
    }

    @Test
    void theCurrentContextIsTaken() {
        assertLeadsTo("https://lab.example/", "physics", Map.of());
    }

    @Test
    void anotherContextIsTakenWhenItIsSet() {
        assertLeadsTo("https://home.example/", "outpost", Map.of("context", "home"));
    }

    @Test
    void configuredNamespaceWinsOverTheContexts() {
        assertLeadsTo("https://lab.example/", "chemistry", Map.of("namespace", "chemistry"));
    }

    private void assertLeadsTo(String server, String namespace, Map<String, String> options) {
        KubernetesConfig settings = SettingsReader.of(options);
        clients.check(settings);
        try (KubernetesClient client = clients.client(settings)) {
            assertEquals(server, client.getMasterUrl().toString());
            assertEquals(namespace, Clients.namespace(settings, client));
        }
    }

    @Test
    void aContextThatDoesNotExistIsRefused() {
        KubernetesConfig settings = SettingsReader.of(Map.of("context", "lap"));
        String expected = "outpost.k8s.context: no such context: lap; the kubeconfig has home, lab."
                + " Set outpost.k8s.context to one of the kubeconfig.";
        assertEquals(
                expected,
                assertThrows(IllegalArgumentException.class, () -> clients.check(settings))
                        .getMessage());
        assertEquals(
                expected,
                assertThrows(IllegalArgumentException.class, () -> clients.client(settings))
                        .getMessage());
    }

    @Test
    void checkDoesNotRunCredentialPlugins() {
        clients.check(SettingsReader.of(Map.of("context", "home")));
        assertFalse(Files.exists(fetched));
        clients.client(SettingsReader.of(Map.of())).close();
        assertTrue(Files.exists(fetched));
    }

    @Test
    void withoutAKubeconfigThereIsNoContext() throws IOException {
        Files.delete(folder.resolve("config"));
        var refused = assertThrows(
                IllegalArgumentException.class, () -> clients.check(SettingsReader.of(Map.of("context", "lab"))));
        assertTrue(refused.getMessage().contains("the kubeconfig has none"), refused::getMessage);
    }

    @Test
    void clientDoesNotRetryByItself() {
        Config configuration = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://other.example")
                .build();
        try (KubernetesClient client = Clients.of(configuration).client(SettingsReader.of(Map.of()))) {
            assertEquals("https://other.example/", client.getMasterUrl().toString());
            assertEquals(0, client.getConfiguration().getRequestRetryBackoffLimit());
            assertEquals(0, client.getConfiguration().getWatchReconnectLimit());
        }
        assertTrue(configuration.getRequestRetryBackoffLimit() > 0);
    }
}
