package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.mutiny.Uni;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvidersTest {
    private final GpuProvider mock = new NamedProvider("mock");
    private final Providers providers = Providers.of(List.of(mock, new NamedProvider("k8s")));

    @Test
    void findsByNameWhateverItsCase() {
        assertSame(mock, providers.find("Mock"));
        assertEquals(List.of("k8s", "mock"), List.copyOf(providers.names()));
    }

    @Test
    void anUnknownNameIsAnsweredWithTheKnownOnes() {
        var unknown = assertThrows(UnknownProviderException.class, () -> providers.find("k9s"));
        assertEquals(
                "no provider is called k9s; did you mean k8s? On the class path there are: k8s, mock.",
                unknown.getMessage());
    }

    @Test
    void anEmptyClassPathIsAnsweredWithARemedy() {
        var unknown = assertThrows(
                UnknownProviderException.class, () -> Providers.of(List.of()).find("mock"));
        assertEquals(
                "no provider is called mock. There is none on the class path: add a module such as "
                        + "outpost-provider-mock.",
                unknown.getMessage());
    }

    @Test
    void twoOfOneNameAreRefused() {
        var twice = List.<GpuProvider>of(mock, new NamedProvider("mock"));
        assertThrows(IllegalArgumentException.class, () -> Providers.of(twice));
    }

    @Test
    void providerOfANewerJavaIsLeftOutAndNamed(@TempDir Path folder) throws Exception {
        Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(
                folder.resolve("META-INF/services/" + GpuProvider.class.getName()),
                "example.Newer\n" + UsableProvider.class.getName() + "\n");
        Files.createDirectories(folder.resolve("example"));
        Files.write(folder.resolve("example/Newer.class"), HexFormat.of().parseHex("cafebabe000003e7"));
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            Providers discovered = Providers.discover(loader);
            assertEquals(List.of("usable"), List.copyOf(discovered.names()));
            var unknown = assertThrows(UnknownProviderException.class, () -> discovered.find("mock"));
            assertEquals(
                    "no provider is called mock. On the class path there are: usable. example.Newer needs Java 955, and this"
                            + " is Java " + Runtime.version().feature() + ".",
                    unknown.getMessage());
        }
    }

    @Test
    void providerWithoutItsClassesIsLeftOutAndNamed(@TempDir Path folder) throws Exception {
        try (URLClassLoader loader = services(folder, BrokenProvider.class, UsableProvider.class)) {
            Providers discovered = Providers.discover(loader);
            assertEquals(List.of("usable"), List.copyOf(discovered.names()));
            var unknown = assertThrows(UnknownProviderException.class, () -> discovered.find("k8s"));
            assertTrue(
                    unknown.getMessage()
                            .endsWith(
                                    "BrokenProvider could not be instantiated: java.lang.NoClassDefFoundError: a/Missing."),
                    unknown::getMessage);
        }
    }

    @Test
    void providerThatFailsOtherwiseIsAnError(@TempDir Path folder) throws Exception {
        try (URLClassLoader loader = services(folder, FailingProvider.class)) {
            assertThrows(ServiceConfigurationError.class, () -> Providers.discover(loader));
        }
    }

    private static URLClassLoader services(Path folder, Class<?>... providers) throws Exception {
        Path file = folder.resolve("META-INF/services/" + GpuProvider.class.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, Stream.of(providers).map(Class::getName).toList());
        return new URLClassLoader(new URL[] {folder.toUri().toURL()});
    }

    @Test
    void errorInOtherWordsNamesNoJava() {
        var error = new UnsupportedClassVersionError("something else");
        assertEquals(
                "A provider needs a newer Java, and this is Java "
                        + Runtime.version().feature() + ".",
                NewerClass.parse(error).sentence());
    }

    /** Fails like a provider that needs a library that is not on the class path. */
    public static final class BrokenProvider extends UsableProvider {
        public BrokenProvider() {
            throw new NoClassDefFoundError("a/Missing");
        }
    }

    /** Fails for a reason of its own. */
    public static final class FailingProvider extends UsableProvider {
        public FailingProvider() {
            throw new IllegalStateException("broken");
        }
    }

    /** Found by ServiceLoader. */
    public static class UsableProvider implements GpuProvider {
        @Override
        public String name() {
            return "usable";
        }

        @Override
        public void validate(MachineSpec spec) {}

        @Override
        public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
            return Uni.createFrom().failure(new IllegalStateException("this one only has a name"));
        }
    }

    private record NamedProvider(String name) implements GpuProvider {
        @Override
        public void validate(MachineSpec spec) {}

        @Override
        public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
            return Uni.createFrom().failure(new IllegalStateException("this one only has a name"));
        }
    }
}
