package dev.outpost.system;

import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Holds back ready machines until the test releases them; until then no session is open. */
public final class HeldProvider implements GpuProvider {
    private final GpuProvider provider;
    private final List<String> leases = new CopyOnWriteArrayList<>();
    private final List<ProvisioningStep> steps = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> mayBeUsed = new CompletableFuture<>();

    public HeldProvider(GpuProvider provider) {
        this.provider = provider;
    }

    /** The leases of machines that were ready. */
    public List<String> leases() {
        return leases;
    }

    /** The steps of its starts. */
    public List<ProvisioningStep> steps() {
        return steps;
    }

    public void release() {
        mayBeUsed.complete(null);
    }

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public void validate(MachineSpec spec) {
        provider.validate(spec);
    }

    @Override
    public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return provider.provision(spec, step -> {
                    steps.add(step);
                    progress.accept(step);
                })
                .onItem()
                .invoke(lease -> leases.add(lease.id()))
                .onItem()
                .call(lease -> Uni.createFrom().completionStage(mayBeUsed.copy()));
    }
}
