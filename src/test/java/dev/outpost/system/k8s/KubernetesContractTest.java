package dev.outpost.system.k8s;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GpuProviderContract;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.Providers;
import dev.outpost.provider.k8s.KubernetesProvider;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the contract of every provider with machines on a cluster. */
@Tag("real-cluster")
class KubernetesContractTest extends GpuProviderContract {
    private static Provided provided;

    @BeforeAll
    static void start() {
        provided = Provided.quick();
    }

    @AfterAll
    static void stop() {
        try {
            provided.awaitNothingLeft();
        } finally {
            provided.close();
        }
    }

    @Override
    protected GpuProvider provider() {
        return provided.provider;
    }

    @Override
    protected MachineSpec spec() {
        return provided.spec("A100");
    }

    @Override
    protected Duration patience() {
        return Provided.TIMEOUT;
    }

    @Test
    void providerIsFoundOnTheClassPath() {
        assertInstanceOf(KubernetesProvider.class, Providers.discover().find("k8s"));
    }

    @Test
    void aSettingThatMakesNoSenseIsRefusedBeforeAnythingIsAsked() {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> provider().validate(provided.spec("A100", "lease", "soon")));
        assertTrue(refused.getMessage().startsWith("outpost.k8s.lease: "), refused::getMessage);
    }

    @Test
    void providersNameIsK8s() {
        assertEquals("k8s", provider().name());
    }
}
