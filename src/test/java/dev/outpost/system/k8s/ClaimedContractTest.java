package dev.outpost.system.k8s;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GpuProviderContract;
import dev.outpost.provider.MachineSpec;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests the contract of every provider with machines that claim their GPUs as devices. */
class ClaimedContractTest extends GpuProviderContract {
    private static Provided provided;

    @BeforeAll
    static void start() {
        provided = Provided.withDevices();
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
}
