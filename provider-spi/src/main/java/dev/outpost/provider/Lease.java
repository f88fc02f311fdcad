package dev.outpost.provider;

import dev.outpost.channel.grant.GrantTerms;
import io.smallrye.mutiny.Uni;
import java.util.Optional;

/** The right to use a machine, until the machine is released or lost. */
public interface Lease {
    /** Returns the provider's name for this machine; unique among its machines. */
    String id();

    Endpoint endpoint();

    /**
     * Emits the reason if the machine is lost without being released. Emits at most once, also to late subscribers; never emits for a
     * machine that was released.
     */
    Uni<MachineLoss> lost();

    /**
     * Returns true if the provider monitors the machine and may report its loss. If false, {@link #lost} never emits, and callers do
     * not wait for it.
     */
    default boolean isWatched() {
        return true;
    }

    /**
     * Gives another person access to the machine, in addition to this program. On a shared machine, the terms limit
     * the memory that the person may use.
     *
     * @return the address and token for that person, or a failure that says why the access is not possible
     */
    default Uni<SharedAccess> share(GrantTerms terms) {
        return Uni.createFrom().failure(() -> noSharing("share"));
    }

    /** Revokes an access: its token is no longer accepted, and its sessions end. */
    default Uni<Void> unshare(SharedAccess access) {
        return Uni.createFrom().failure(() -> noSharing("unshare"));
    }

    /**
     * Makes a program callable by HTTP. Its machines are started and ended on demand. It outlives this machine.
     *
     * @return completes when the program is published; a failure says why it is not
     */
    default Uni<Void> publish(ProgramPackage program) {
        return Uni.createFrom()
                .failure(() -> new IllegalStateException("publish: the provider of machine " + id()
                        + " publishes no programs; a backend does: RemoteMachine.of(\"outpost\", ...)"));
    }

    private IllegalStateException noSharing(String call) {
        return new IllegalStateException(call + ": the provider of machine " + id()
                + " cannot share it; machines of a backend can be shared: RemoteMachine.of(\"outpost\", ...)");
    }

    /**
     * Returns the text by which another process can take the machine over, see {@link GpuProvider#takeOver}. It may contain secrets, and
     * stays valid until the machine ends. From this call on, the end of the JVM does not end the machine. Empty if the provider cannot
     * pass machines on.
     */
    default Optional<String> transferText() {
        return Optional.empty();
    }

    /** Leaves the machine to another process, which took it over or will. This lease no longer ends it, also not at the end of the JVM. */
    default void handOver() {}

    /** Releases the machine. Does nothing if it was released or lost before. */
    Uni<Void> release();
}
