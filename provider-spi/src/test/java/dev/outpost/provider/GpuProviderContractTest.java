package dev.outpost.provider;

import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The smallest provider that keeps the contract. */
class GpuProviderContractTest extends GpuProviderContract {
    private final GpuProvider provider = new PaperProvider(new AtomicInteger());

    @Override
    protected GpuProvider provider() {
        return provider;
    }

    private record PaperProvider(AtomicInteger machines) implements GpuProvider {
        @Override
        public String name() {
            return "paper";
        }

        @Override
        public void validate(MachineSpec spec) {
            if (!spec.options().isEmpty()) {
                throw new IllegalArgumentException("paper has no options, got " + spec.options());
            }
        }

        @Override
        public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
            return Uni.createFrom().item(() -> {
                progress.accept(new ProvisioningStep(MachinePhase.QUEUED, "folding", Duration.ZERO));
                progress.accept(new ProvisioningStep(MachinePhase.READY, "folded", Duration.ofMillis(1)));
                return new PaperLease("paper-" + machines.incrementAndGet());
            });
        }
    }

    private record PaperLease(String id) implements Lease {
        @Override
        public Endpoint endpoint() {
            return new Endpoint.InProcess(listener -> {
                throw new IOException("a machine of paper does not answer");
            });
        }

        @Override
        public Uni<MachineLoss> lost() {
            return Uni.createFrom().nothing();
        }

        @Override
        public Uni<Void> release() {
            return Uni.createFrom().voidItem();
        }
    }
}
