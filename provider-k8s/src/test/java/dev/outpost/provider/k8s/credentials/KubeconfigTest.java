package dev.outpost.provider.k8s.credentials;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.provider.k8s.cluster.Clients;
import dev.outpost.provider.k8s.config.SettingsReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every form of credentials gives access to an API server, and unreadable credentials are named. */
class KubeconfigTest {
    private static final String PROPERTY = "kubeconfig";
    private static final String CONTEXTS = """
            apiVersion: v1
            kind: Config
            current-context: lab
            contexts:
            - name: lab
              context: {cluster: lab, user: ada}
            """;

    @TempDir
    private Path folder;

    private final String before = System.getProperty(PROPERTY);
    private TestApiServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestApiServer();
    }

    @AfterEach
    void close() {
        server.close();
        if (before == null) {
            System.clearProperty(PROPERTY);
        } else {
            System.setProperty(PROPERTY, before);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes());
    }

    private String cluster() throws Exception {
        return "clusters:\n- name: lab\n  cluster: {server: \"" + server.url() + "\", certificate-authority-data: "
                + base64(server.key().certificatePem()) + "}\n";
    }

    private static String user(String fields) {
        return "users:\n- name: ada\n  user: {" + fields + "}\n";
    }

    private static String exec(String script) {
        return user(
                "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, provideClusterInfo: true, "
                        + "command: ./plugin, args: [" + script + "]}");
    }

    /** A kubeconfig with everything in one file. */
    private Path kubeconfig(String user) throws Exception {
        Path file = Files.writeString(folder.resolve("config"), CONTEXTS + cluster() + user);
        System.setProperty(PROPERTY, file.toString());
        return file;
    }

    private void plugin(String script) throws Exception {
        Path file = Files.writeString(folder.resolve("plugin"), "#!/bin/sh\n" + script + "\n");
        assertTrue(file.toFile().setExecutable(true));
    }

    private static String credential(String status) {
        return "echo '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":"
                + status + "}'";
    }

    private static KubernetesClient client() {
        return Clients.ofKubeconfig().client(SettingsReader.of(Map.of()));
    }

    private void assertCalledAs(String caller) {
        try (KubernetesClient client = client()) {
            assertEquals("v1.34.0", client.getKubernetesVersion().getGitVersion());
        }
        assertEquals(caller, server.callers().getLast());
    }

    private static String refusal() {
        return assertThrows(RuntimeException.class, () -> client().close()).getMessage();
    }

    // ---- certificates

    @ParameterizedTest
    @CsvSource({
        "RSA, RSA PRIVATE KEY",
        "RSA, PRIVATE KEY",
        "EC, EC PRIVATE KEY",
        "EC, PRIVATE KEY",
        "Ed25519, PRIVATE KEY"
    })
    void keyOpensTheServerAsDataAndAsAFile(String algorithm, String label) throws Exception {
        TestKey ada = TestKey.draw("ada", algorithm);
        kubeconfig(user("client-certificate-data: " + base64(ada.certificatePem()) + ", client-key-data: "
                + base64(ada.keyPem(label))));
        assertCalledAs("CN=ada");
        Files.writeString(folder.resolve("ada.crt"), ada.certificatePem());
        Files.writeString(folder.resolve("ada.key"), ada.keyPem(label));
        kubeconfig(user("client-certificate: ada.crt, client-key: ada.key"));
        assertCalledAs("CN=ada");
    }

    @Test
    void entryThatCannotBeReadIsNamedWithFileUserAndField() throws Exception {
        TestKey ada = TestKey.draw("ada", "EC");
        String certificate = "client-certificate-data: " + base64(ada.certificatePem());
        Path file = kubeconfig(user(certificate + ", client-key-data: " + base64("no key")));
        String field = "kubeconfig " + file + ": user ada: client-key-data: ";
        assertEquals(
                field + "expected a private key in PEM (PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY), got no PEM",
                refusal());
        kubeconfig(user(certificate + ", client-key-data: '*'"));
        assertTrue(refusal().startsWith(field), KubeconfigTest::refusal);
        kubeconfig(user(certificate + ", client-key: gone.key"));
        assertTrue(
                refusal()
                        .startsWith("kubeconfig " + file + ": user ada: client-key: the file " + folder
                                + "/gone.key cannot be read: "),
                KubeconfigTest::refusal);
        kubeconfig(user(certificate));
        assertEquals(
                "kubeconfig " + file
                        + ": user ada: client-key: it is missing; a certificate and its key belong together",
                refusal());
        kubeconfig(user("client-certificate-data: " + base64("none") + ", client-key-data: "
                + base64(ada.keyPem("PRIVATE KEY"))));
        assertTrue(
                refusal().startsWith("kubeconfig " + file + ": user ada: client-certificate-data: "),
                KubeconfigTest::refusal);
    }

    @Test
    void authorityThatCannotBeReadIsNamed() throws Exception {
        Path file = Files.writeString(
                folder.resolve("config"),
                CONTEXTS + "clusters:\n- name: lab\n  cluster: {server: \"" + server.url()
                        + "\", certificate-authority: ca.crt}\n" + user("token: t"));
        System.setProperty(PROPERTY, file.toString());
        assertTrue(
                refusal().startsWith("kubeconfig " + file + ": cluster lab: certificate-authority: the file "),
                KubeconfigTest::refusal);
    }

    @Test
    void fileThatIsNoKubeconfigIsNamed() throws Exception {
        Path file = Files.writeString(folder.resolve("config"), "users: [");
        System.setProperty(PROPERTY, file.toString());
        assertTrue(refusal().startsWith("kubeconfig: " + file + " cannot be read: "), KubeconfigTest::refusal);
    }

    @Test
    void withoutAKubeconfigItIsSaidThatThereIsNone() {
        assumeTrue(System.getenv("KUBERNETES_SERVICE_HOST") == null, "this is a pod");
        Path absent = folder.resolve("absent");
        System.setProperty(PROPERTY, absent.toString());
        assertTrue(
                refusal().startsWith("kubeconfig: there is none, so no cluster is known: no " + absent),
                KubeconfigTest::refusal);
        assertTrue(refusal().contains("set KUBECONFIG to the file of your cluster"), KubeconfigTest::refusal);
    }

    // ---- several files

    @Test
    void entriesOfSeveralFilesBelongTogether() throws Exception {
        TestKey ada = TestKey.draw("ada", "EC");
        Path users = Files.createDirectory(folder.resolve("users"));
        Files.writeString(users.resolve("ada.crt"), ada.certificatePem());
        Files.writeString(users.resolve("ada.key"), ada.keyPem("PRIVATE KEY"));
        List<Path> files = List.of(
                folder.resolve("missing"),
                Files.writeString(folder.resolve("contexts"), CONTEXTS),
                Files.writeString(
                        users.resolve("config"),
                        "current-context: other\n" + user("client-certificate: ada.crt, client-key: ada.key")),
                Files.writeString(folder.resolve("clusters"), cluster() + user("token: ignored")));
        System.setProperty(
                PROPERTY,
                String.join(
                        File.pathSeparator, files.stream().map(Path::toString).toList()));
        assertCalledAs("CN=ada");
    }

    @Test
    void userThatNoFileHasIsNamed() throws Exception {
        Path file = kubeconfig("");
        assertEquals(
                "kubeconfig " + file + ": context lab: user: no kubeconfig has a user called ada; add it, or correct"
                        + " the name",
                refusal());
    }

    // ---- tokens

    @Test
    void tokenFileIsReadForEachRequest() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "first\n");
        kubeconfig(user("tokenFile: token"));
        server.accept("first");
        try (KubernetesClient client = client()) {
            client.getKubernetesVersion();
            server.accept("second");
            Path next = Files.writeString(folder.resolve("next"), "second\n");
            Files.move(next, token, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            client.getKubernetesVersion();
        }
        assertEquals(List.of("first", "second"), server.callers());
    }

    @Test
    void tokenFileThatIsMissingIsNamed() throws Exception {
        Path file = kubeconfig(user("tokenFile: token"));
        try (KubernetesClient client = client()) {
            String refused = assertThrows(KubernetesClientException.class, client::getKubernetesVersion)
                    .getMessage();
            assertTrue(
                    refused.startsWith("kubeconfig " + file + ": user ada: tokenFile: the file " + folder + "/token "),
                    refused);
        }
    }

    // ---- plugins

    @Test
    void pluginBesideTheKubeconfigGivesATokenAndIsToldOfTheCluster() throws Exception {
        plugin("echo 'a warning' >&2\necho \"$KUBERNETES_EXEC_INFO\" > " + folder.resolve("info") + "\n"
                + credential("{\"token\":\"fetched\"}"));
        kubeconfig(exec(""));
        server.accept("fetched");
        assertCalledAs("fetched");
        String info = Files.readString(folder.resolve("info"));
        assertTrue(info.contains(server.url()) && info.contains("\"interactive\":false"), info);
    }

    @Test
    void tokenOfAPluginIsFetchedAgainWhenItIsRefused() throws Exception {
        Path token = Files.writeString(folder.resolve("fetched"), "first");
        plugin("token=$(cat " + token + ")\n"
                + credential("{\"token\":\"'$token'\",\"expirationTimestamp\":\"2099-01-01T00:00:00Z\"}"));
        kubeconfig(exec(""));
        server.accept("first");
        try (KubernetesClient client = client()) {
            client.getKubernetesVersion();
            server.accept("second");
            Files.writeString(token, "second");
            KubernetesClientException refused =
                    assertThrows(KubernetesClientException.class, client::getKubernetesVersion);
            assertEquals(401, refused.getCode(), "callers make such a request once more");
            client.getKubernetesVersion();
        }
        assertEquals(List.of("first", "nobody", "second"), server.callers());
    }

    @ParameterizedTest
    @CsvSource({"EC, EC PRIVATE KEY", "EC, PRIVATE KEY", "Ed25519, PRIVATE KEY", "RSA, RSA PRIVATE KEY"})
    void pluginGivesACertificate(String algorithm, String label) throws Exception {
        TestKey ada = TestKey.draw("ada", algorithm);
        plugin(credential("{\"clientCertificateData\":\"" + ada.certificatePem().replace("\n", "\\n")
                        + "\",\"clientKeyData\":\"" + ada.keyPem(label).replace("\n", "\\n") + "\"}")
                .replace("echo", "printf '%s'"));
        kubeconfig(exec(""));
        assertCalledAs("CN=ada");
    }

    @Test
    void pluginThatFailsIsNamedWithWhatItSaid() throws Exception {
        plugin("echo 'the session has expired' >&2\nexit 3");
        Path file = kubeconfig(exec(""));
        String field = "kubeconfig " + file + ": user ada: exec: the program ./plugin ";
        assertEquals(field + "ended with exit code 3: \"the session has expired\"", refusal());
        plugin("echo '{\"apiVersion\":\"client.authentication.k8s.io/v1beta1\",\"status\":{\"token\":\"t\"}}'");
        assertEquals(
                field + "printed the apiVersion client.authentication.k8s.io/v1beta1, the kubeconfig says"
                        + " client.authentication.k8s.io/v1",
                refusal());
        plugin("echo secret");
        assertEquals(field + "printed no ExecCredential with a status", refusal());
        plugin(credential("{}"));
        assertEquals(field + "printed neither a token nor a certificate with its key", refusal());
        Files.delete(folder.resolve("plugin"));
        assertTrue(refusal().startsWith(field + "cannot be started: "), KubeconfigTest::refusal);
    }
}
