package dev.outpost.provider.fleet;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachinePhase;
import io.smallrye.mutiny.Multi;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The machines of one installation of a control plane at one supplier. The supplier stores the state: two fleet objects of the same
 * installation, in one process or in two, see and end each other's machines, and machines live on without any such object.
 *
 * <p>Calls block until the supplier has answered, and may take seconds. They fail with a {@link FleetException}, after which the call
 * may or may not have had its effect. Every call can be repeated. Thread-safe.
 */
public interface MachineFleet extends AutoCloseable {
    /** Returns the name of the installation. The fleet neither sees nor touches machines of other installations. */
    String installation();

    /**
     * Refuses a description that is wrong without asking the supplier.
     *
     * @throws IllegalArgumentException if it refuses; the message names the option and the value
     */
    void validate(DesiredMachine machine);

    /**
     * Makes a machine unless one of that name exists. Does not change an existing machine, even if it has ended.
     * Returns when the supplier has accepted the machine; the start continues after that.
     *
     * @return the machine as observed now
     * @throws IllegalArgumentException in the cases in which {@link #validate} throws
     * @throws FleetException {@code REFUSED} if an object of this name exists that does not belong to this installation
     */
    MachineObservation ensure(DesiredMachine machine);

    /**
     * Returns true if one more machine would get its GPU now. Changes nothing. Empty if the supplier can find out
     * only by starting a machine.
     *
     * @throws IllegalArgumentException if such a machine is refused; the message names the option and the value
     * @throws FleetException if the supplier does not answer
     */
    default Optional<GpuAvailability> availability(GpuType gpu) {
        return Optional.empty();
    }

    /**
     * Returns all machines of the installation, oldest first. The list includes those that have ended and were not
     * removed yet.
     */
    List<MachineObservation> list();

    /**
     * Reports all existing machines, then each change, {@link MachinePhase#GONE} included. After the supplier was
     * unreachable, the watch reports the newest state of each machine instead of the missed changes.
     *
     * @param listener called by one thread at a time, which must not block for long
     */
    FleetWatch watch(Consumer<MachineObservation> listener);

    /**
     * Adds a grant to a machine: allows a token to open it. If the token has a grant, changes its terms.
     *
     * @throws FleetException {@code NOT_FOUND} if no such machine exists, or it has ended
     */
    void bind(MachineRef machine, Grant grant);

    /**
     * Revokes a grant: the token is no longer accepted, and its sessions end within seconds after the machine has
     * received the change. Revoking a grant that does not exist succeeds.
     *
     * @throws FleetException {@code NOT_FOUND} if no such machine exists, or it has ended
     */
    void revoke(MachineRef machine, String tokenSha256);

    /**
     * Shuts a machine down and removes its objects. Returns when this is certain to happen, possibly before it is
     * complete: a list shows the machine as {@link MachinePhase#ENDING} until nothing is left. Does nothing if no
     * such machine exists.
     */
    void end(MachineRef machine);

    /**
     * Emits the lines of a machine's log, from the first one on. Fails with {@code NOT_FOUND} if no such machine
     * exists.
     *
     * @param follow true to also emit later lines, until the machine ends or the subscription is cancelled
     */
    Multi<String> logs(MachineRef machine, boolean follow);

    /**
     * Returns the lines that the runner beside a machine has printed about itself before its program began, oldest
     * first: the newest lines that begin with {@link JobRun#LOG_PREFIX}, without the prefix. Empty if there is no
     * runner, or if the supplier cannot read its log.
     *
     * @throws FleetException if the supplier does not answer
     */
    default List<String> runnerLog(MachineRef machine) {
        return List.of();
    }

    /** Closes the connections, threads and watches of this object; no machine is touched. */
    @Override
    void close();
}
