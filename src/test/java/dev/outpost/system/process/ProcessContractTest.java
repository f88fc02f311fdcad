package dev.outpost.system.process;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GpuProviderContract;
import dev.outpost.support.tests.Await;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** Tests the contract of every provider with real runtimes. */
class ProcessContractTest extends GpuProviderContract {
    @TempDir
    static Path folder;

    @Override
    protected GpuProvider provider() {
        return new ProcessHost(folder.resolve("machines")).provider();
    }

    @Override
    protected Duration patience() {
        return Await.GUARD;
    }
}
