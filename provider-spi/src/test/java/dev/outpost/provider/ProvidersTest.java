package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

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

    private record NamedProvider(String name) implements GpuProvider {
        @Override
        public void validate(MachineSpec spec) {}

        @Override
        public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
            return Uni.createFrom().failure(new IllegalStateException("this one only has a name"));
        }
    }
}
