package dev.outpost.provider.k8s.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.support.EngineKind;
import dev.outpost.provider.support.Memory;
import dev.outpost.support.tests.FirstUse;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.SysPropConfigSource;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class SettingsReaderTest {
    private static final GpuCatalogue CATALOGUE = GpuCatalogue.standard();
    private static final String IMAGES = "ghcr.io/outpost-dev/runtime:";

    @Test
    void defaultsApplyWhereNothingIsSet() {
        KubernetesConfig config = SettingsReader.of(Map.of());
        assertEquals(Optional.empty(), config.namespace());
        assertEquals(Optional.of("nvidia.com/gpu"), config.resourceName());
        assertEquals(
                "Exists", config.tolerations().orElseThrow().list().getFirst().getOperator());
        assertEquals(new Cpus("2"), config.cpu());
        assertEquals(new Memory("8Gi"), config.memory());
        assertEquals(AccessMode.AUTO, config.endpoint());
        assertEquals(ServiceType.LOAD_BALANCER, config.serviceType());
        assertEquals(PullPolicy.IF_NOT_PRESENT, config.imagePullPolicy());
        assertEquals(Duration.ofMinutes(1), config.lease());
        assertEquals(Duration.ofHours(24), config.maximumLifetime());
        assertEquals(Optional.empty(), config.idleTimeout());
        assertEquals(Map.of(), config.gpus());
    }

    /** A program may start its first machines concurrently. A failure in one of them would stay for the life of this JVM. */
    @Test
    void theFirstSettingsAreReadByOneThreadAtATime() throws Exception {
        FirstUse.byTwoThreads(
                SettingsReader.class, fresh -> fresh.getMethod("of", Map.class).invoke(null, Map.of()));
    }

    /** A release has the image of its own version, and fails here if it forgets the image. A snapshot has the image of the last release. */
    @Test
    void theImageIsOfThisVersion() throws IOException {
        String version = Files.readString(Path.of("pom.xml")).replaceAll("(?s).*?<version>(.*?)</version>.*", "$1");
        String image = SettingsReader.of(Map.of()).image();
        assertTrue(image.startsWith(IMAGES), image);
        Version tag = Version.parse(image.substring(IMAGES.length()));
        if (version.endsWith("-SNAPSHOT")) {
            assertTrue(tag.compareTo(Version.parse(version)) < 0, image + " of " + version);
        } else {
            assertEquals(Version.parse(version), tag);
        }
    }

    @Test
    void optionsWinOverSystemPropertiesTheseOverTheEnvironmentAndThatOverFiles() {
        assertEquals("file", priorityClass(Map.of(), file()));
        assertEquals("environment", priorityClass(Map.of(), file(), environment("OUTPOST_K8S_PRIORITY_CLASS")));
        String earlier = System.setProperty("outpost.k8s.priority-class", "property");
        try {
            assertEquals(
                    "property",
                    priorityClass(Map.of(), file(), environment("OUTPOST_K8S_PRIORITY_CLASS"), properties()));
            assertEquals(
                    "option",
                    priorityClass(
                            Map.of("priority-class", "option"),
                            file(),
                            environment("OUTPOST_K8S_PRIORITY_CLASS"),
                            properties()));
        } finally {
            restore("outpost.k8s.priority-class", earlier);
        }
    }

    private static String priorityClass(Map<String, String> options, ConfigSource... sources) {
        var builder = new SmallRyeConfigBuilder().addDefaultInterceptors().withSources(sources);
        return SettingsReader.read(options, builder, CATALOGUE).priorityClass().orElseThrow();
    }

    private static PropertiesConfigSource file() {
        return new PropertiesConfigSource(Map.of("outpost.k8s.priority-class", "file"), "file", 250);
    }

    private static EnvConfigSource environment(String name) {
        return new EnvConfigSource(Map.of(name, "environment"), 300);
    }

    private static SysPropConfigSource properties() {
        return new SysPropConfigSource();
    }

    @Test
    void filesOnTheClassPathAreReadTheApplicationsFirst(@TempDir Path folder) throws IOException {
        Files.createDirectory(folder.resolve("META-INF"));
        Files.writeString(
                folder.resolve("META-INF/microprofile-config.properties"),
                "outpost.k8s.queue=library\noutpost.k8s.runtime-class=nvidia\n");
        Files.writeString(folder.resolve("application.properties"), "outpost.k8s.queue=application\nother.name=1\n");
        KubernetesConfig config = readOnClassPath(folder, Map.of());
        assertEquals(Optional.of("application"), config.queue());
        assertEquals(Optional.of("nvidia"), config.runtimeClass());
        assertEquals(
                Optional.of("option"),
                readOnClassPath(folder, Map.of("queue", "option")).queue());
    }

    private static KubernetesConfig readOnClassPath(Path folder, Map<String, String> options) throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader earlier = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, earlier)) {
            thread.setContextClassLoader(loader);
            return SettingsReader.read(options);
        } finally {
            thread.setContextClassLoader(earlier);
        }
    }

    @Test
    void emptyVariableIsUnset() {
        KubernetesConfig config = read(
                Map.of("OUTPOST_K8S_RESOURCE_NAME", "", "OUTPOST_K8S_TOLERATIONS", "", "OUTPOST_K8S_ENGINE", "cpu"));
        assertEquals(Optional.empty(), config.resourceName());
        assertEquals(Optional.empty(), config.tolerations());
        assertEquals(Optional.of(EngineKind.CPU), config.engine());
    }

    /** In a namespace with a Service called outpost-k8s, Kubernetes adds such variables. */
    @Test
    void serviceVariablesOfKubernetesAreIgnored() {
        KubernetesConfig config = read(Map.of(
                "OUTPOST_K8S_PORT", "tcp://10.0.0.1:443",
                "OUTPOST_K8S_SERVICE_HOST", "10.0.0.1",
                "OUTPOST_K8S_NAMESPACE", "team-a"));
        assertEquals(Optional.of("team-a"), config.namespace());
    }

    private static KubernetesConfig read(Map<String, String> environment) {
        var builder =
                new SmallRyeConfigBuilder().addDefaultInterceptors().withSources(new EnvConfigSource(environment, 300));
        return SettingsReader.read(Map.of(), builder, CATALOGUE);
    }

    @Test
    void settingOfAGpuIsFoundByNameAliasAndVariable() {
        assertEquals("x/a", resource("A100-80GB", Map.of("gpus.A100-80GB.resource-name", "x/a")));
        assertEquals("x/a", resource("A100-80GB", Map.of("gpus.nvidia-a100-80gb-pcie.resource-name", "x/a")));
        assertEquals("x/a", resource("T4", Map.of("gpus.\"t4\".resource-name", "x/a")));
        assertEquals("x/b", resource("A100-80GB", read(Map.of("OUTPOST_K8S_GPUS__A100_80GB__RESOURCE_NAME", "x/b"))));
        assertEquals("x/b", resource("T4", read(Map.of("OUTPOST_K8S_GPUS_T4_RESOURCE_NAME", "x/b"))));
        assertTrue(GpuKeys.settings(SettingsReader.of(Map.of("gpus.T4.resource-name", "x/a")), CATALOGUE.find("L4"))
                .isEmpty());
    }

    @Test
    void settingsOfAnyApplyToAnyOnly() {
        KubernetesConfig config = SettingsReader.of(Map.of("gpus.any.resource-name", "x/a"));
        assertTrue(GpuKeys.settings(config, GpuType.ANY).isPresent());
        assertTrue(GpuKeys.settings(config, CATALOGUE.find("T4")).isEmpty());
    }

    private static String resource(String gpu, Map<String, String> options) {
        return resource(gpu, SettingsReader.of(options));
    }

    private static String resource(String gpu, KubernetesConfig config) {
        return GpuKeys.settings(config, CATALOGUE.find(gpu))
                .flatMap(KubernetesConfig.GpuSettings::resourceName)
                .orElseThrow();
    }

    @Test
    void listsAreReadInBothForms() {
        assertEquals(
                Optional.of(List.of("one", "two")),
                SettingsReader.of(Map.of("image-pull-secrets", "one,two")).imagePullSecrets());
        assertEquals(
                Optional.of(List.of("one", "two")),
                SettingsReader.of(Map.of("image-pull-secrets[0]", "one", "image-pull-secrets[1]", "two"))
                        .imagePullSecrets());
    }

    @Test
    void choicesAreTakenAsKubernetesSpellsThemToo() {
        assertEquals(
                ServiceType.NODE_PORT,
                SettingsReader.of(Map.of("service-type", "NodePort")).serviceType());
        assertEquals(
                PullPolicy.IF_NOT_PRESENT,
                SettingsReader.of(Map.of("image-pull-policy", "IfNotPresent")).imagePullPolicy());
        assertEquals(
                AccessMode.PORT_FORWARD,
                SettingsReader.of(Map.of("endpoint", "port-forward")).endpoint());
    }

    @Test
    void theNamespaceIsTheOneThatIsSetElseTheContextsElseOurs() {
        KubernetesConfig unset = SettingsReader.of(Map.of());
        KubernetesConfig set = SettingsReader.of(Map.of("namespace", "mine"));
        assertEquals("mine", SettingsReader.namespace(set, Optional.of("context")));
        assertEquals("context", SettingsReader.namespace(unset, Optional.of("context")));
        assertEquals("outpost", SettingsReader.namespace(unset, Optional.of("default")));
        assertEquals("outpost", SettingsReader.namespace(unset, Optional.of("")));
        assertEquals("outpost", SettingsReader.namespace(unset, Optional.empty()));
        assertEquals(
                "default",
                SettingsReader.namespace(SettingsReader.of(Map.of("namespace", "default")), Optional.of("x")));
    }

    @Test
    void anUnknownSystemPropertyIsRefusedAsWell() {
        String earlier = System.setProperty("outpost.k8s.leese", "1s");
        try {
            var refused = assertThrows(IllegalArgumentException.class, () -> SettingsReader.read(Map.of()));
            assertTrue(
                    refused.getMessage()
                            .startsWith("outpost.k8s.leese: no setting is called leese; did you mean lease?"),
                    refused.getMessage());
        } finally {
            restore("outpost.k8s.leese", earlier);
        }
    }

    private static void restore(String name, String earlier) {
        if (earlier == null) {
            System.clearProperty(name);
        } else {
            System.setProperty(name, earlier);
        }
    }
}
