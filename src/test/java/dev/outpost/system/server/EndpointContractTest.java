package dev.outpost.system.server;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.GpuProviderContract;
import dev.outpost.transport.EndpointProvider;
import org.junit.jupiter.api.Nested;

/** Tests the contract of every provider with a machine that runs already. */
class EndpointContractTest {
    @Nested
    class OverTls extends GpuProviderContract {
        private final GpuProvider provider =
                new EndpointProvider(RuntimeProcess.shared().remote());

        @Override
        protected GpuProvider provider() {
            return provider;
        }
    }

    @Nested
    class OverASocket extends GpuProviderContract {
        private final GpuProvider provider =
                new EndpointProvider(RuntimeProcess.shared().local());

        @Override
        protected GpuProvider provider() {
            return provider;
        }
    }
}
