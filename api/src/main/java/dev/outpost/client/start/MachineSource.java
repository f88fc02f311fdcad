package dev.outpost.client.start;

import dev.outpost.provider.Lease;
import dev.outpost.provider.ProvisioningStep;
import io.smallrye.mutiny.Uni;
import java.util.function.Consumer;

/** Where a session's machine comes from. Asked once; cancelled when nobody wants the machine any more. */
@FunctionalInterface
public interface MachineSource {
    Uni<Lease> lease(Consumer<ProvisioningStep> progress);
}
