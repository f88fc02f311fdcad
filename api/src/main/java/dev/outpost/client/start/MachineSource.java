package dev.outpost.client.start;

import dev.outpost.provider.Lease;
import dev.outpost.provider.ProvisioningStep;
import io.smallrye.mutiny.Uni;
import java.util.function.Consumer;

/** Supplies the machine of a session. Asked once; cancelled if the session no longer needs the machine. */
@FunctionalInterface
public interface MachineSource {
    Uni<Lease> lease(Consumer<ProvisioningStep> progress);
}
