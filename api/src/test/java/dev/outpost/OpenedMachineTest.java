package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProviderUnavailableException;
import dev.outpost.provider.Providers;
import dev.outpost.provider.ProvisioningStep;
import io.smallrye.mutiny.Uni;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The name of a machine is read in each form, and a program that names none gets the best machine of this host. */
class OpenedMachineTest {

    /** A provider that throws {@code problem} for each request. */
    private record Named(String name, @Nullable RuntimeException problem) implements GpuProvider {
        @Override
        public void validate(MachineSpec spec) {
            if (problem != null) {
                throw problem;
            }
        }

        @Override
        public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
            throw new UnsupportedOperationException("this test starts nothing");
        }
    }

    private static OpenedMachine choice(@Nullable String property, @Nullable String variable, Named... providers) {
        List<GpuProvider> all =
                Arrays.stream(providers).map(GpuProvider.class::cast).toList();
        return OpenedMachine.choose(property, variable, Providers.of(all), Map.of());
    }

    @Test
    void formsAreRead() {
        assertEquals(new MachineName.OfProvider("k8s", "A100", 1), MachineName.parse("k8s:A100"));
        assertEquals(new MachineName.OfProvider("process", "any", 2), MachineName.parse(" process:anyx2 "));
        assertEquals(new MachineName.OfProvider("mock", "any", 1), MachineName.parse("mock"));
        assertEquals(new MachineName.OfEndpoint("gpu-host:50051"), MachineName.parse("gpu-host:50051"));
        assertEquals(new MachineName.OfEndpoint("[::1]:50051"), MachineName.parse("[::1]:50051"));
        assertEquals(new MachineName.OfEndpoint("unix:/run/machine"), MachineName.parse("unix:/run/machine"));
        Stream.of("k8s:A100", "process:anyx2", "host:1", "unix:/a")
                .forEach(name -> assertEquals(name, MachineName.parse(name).toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":A100", "k8s:", "a:b:c", "k8s A100", "host:50051:1"})
    void otherFormsAreRefused(String name) {
        String message = assertThrows(IllegalArgumentException.class, () -> MachineName.parse(name))
                .getMessage();
        assertEquals(
                "machine: expected PROVIDER:GPU such as k8s:A100, PROVIDER:GPUxCOUNT such as process:anyx2, HOST:PORT or"
                        + " unix:FILE, got \"" + name + "\"",
                message);
    }

    @Test
    void aNumberOfMachinesIsAtLeastOne() {
        String message = assertThrows(IllegalArgumentException.class, () -> MachineName.parse("mock:anyx0"))
                .getMessage();
        assertEquals(
                "machine: the number of machines behind the last x must be at least 1, got \"mock:anyx0\"", message);
    }

    @Test
    void propertyComesBeforeVariable() {
        Named process = new Named("process", null);
        assertEquals("k8s:L4", choice("k8s:L4", "mock", process).name().toString());
        assertEquals("mock:any", choice(" ", "mock", process).name().toString());
        String message = assertThrows(IllegalArgumentException.class, () -> choice(null, "a:b:c", process))
                .getMessage();
        assertTrue(message.startsWith("OUTPOST_MACHINE: machine: expected PROVIDER:GPU"), message);
    }

    @Test
    void processIsTheStandardThenTheMock() {
        Named mock = new Named("mock", null);
        assertEquals(
                "process:any",
                choice(null, "", new Named("process", null), mock).name().toString());
        OpenedMachine without = choice(null, null, mock);
        assertEquals("mock:any", without.name().toString());
        assertTrue(
                without.reason().contains("dev.outpost:outpost-provider-process is not on the class path"),
                without.reason());
        Named notInstalled = new Named("process", new ProviderUnavailableException("process: no jar"));
        OpenedMachine unusable = choice(null, null, notInstalled, mock);
        assertEquals("mock:any", unusable.name().toString());
        assertTrue(unusable.reason().contains("because process: no jar;"), unusable.reason());
    }

    @Test
    void aWrongSettingIsThrown() {
        IllegalArgumentException wrong = new IllegalArgumentException("outpost.process.memory: got \"much\"");
        assertSame(
                wrong,
                assertThrows(
                        IllegalArgumentException.class,
                        () -> choice(null, null, new Named("process", wrong), new Named("mock", null))));
    }

    @Test
    void withoutBothTheMessageSaysWhatToDo() {
        String message = assertThrows(IllegalStateException.class, () -> choice(null, null, new Named("k8s", null)))
                .getMessage();
        assertEquals(
                "open: set OUTPOST_MACHINE to a machine such as k8s:A100, or add outpost-provider-process or"
                        + " outpost-provider-mock to the class path; it has k8s",
                message);
    }
}
