package dev.outpost.provider;

import io.smallrye.mutiny.Uni;
import java.util.Optional;
import java.util.function.Consumer;

/** A supplier of machines with GPUs. Found by {@link java.util.ServiceLoader}; must be safe for use by many threads. */
public interface GpuProvider {
    /** Returns the name that users write, such as {@code k8s}; lower case. */
    String name();

    /**
     * Refuses a specification that is wrong without asking the network: an option that this provider does not have, or a value that it
     * cannot take.
     *
     * @throws IllegalArgumentException if the specification is wrong; the message names the option and the value
     */
    void validate(MachineSpec spec);

    /**
     * Starts a machine when the result is subscribed to. Cancelling the subscription releases everything that was
     * started. The cancellation returns when this is done, or when another process is certain to do it, because the
     * JVM may end right afterwards.
     *
     * @param progress receives every step, {@code READY} last; called by one thread at a time, and must not block
     * @return the machine, or a failure whose message names the remedy
     */
    Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress);

    /**
     * Takes over a machine that another process has started by {@link #provision}. Releasing the lease ends the machine.
     *
     * @param text the {@link Lease#transferText} of the machine
     * @param spec the request by which the machine was started
     * @return the machine, or a failure if it has ended
     */
    default Uni<Lease> takeOver(String text, MachineSpec spec, Consumer<ProvisioningStep> progress) {
        return Uni.createFrom()
                .failure(() -> new IllegalStateException(
                        "provider " + name() + " cannot pass a machine on to another process"));
    }

    /** Returns the operations on machines that live without a client; empty if this provider has none. */
    default Optional<MachineKeeper> keeper() {
        return Optional.empty();
    }

    /** Starts several machines together. If empty, each machine of a group is started by itself. */
    default Optional<GroupProvider> groups() {
        return Optional.empty();
    }
}
