package dev.outpost.provider.fleet;

import dev.outpost.provider.GpuType;
import io.smallrye.mutiny.Multi;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The machines that one installation of a control plane has at one supplier. The state is the supplier's: two objects for
 * the same installation, in one process or in two, see and end each other's machines, and none is needed for a machine to
 * live on.
 *
 * <p>Calls block until the supplier has answered, and may take seconds. They fail with a {@link FleetException}, after
 * which the call may or may not have had its effect. Every call can be repeated. Safe for use by many threads.
 */
public interface MachineFleet extends AutoCloseable {
    /** The machines of other installations are neither seen nor touched. */
    String installation();

    /**
     * Refuses what can be refused without asking the supplier.
     *
     * @throws IllegalArgumentException when it refuses; the message names the option and the value
     */
    void validate(DesiredMachine machine);

    /**
     * Makes a machine unless there is one of that name, whose description is then left as it is, also where it has ended.
     * Returns when the supplier has taken the machine in; its start goes on.
     *
     * @return what there is of it
     * @throws IllegalArgumentException as by {@link #validate}
     * @throws FleetException {@code REFUSED} where something else of this name is there that does not belong to this
     *     installation
     */
    MachineObservation ensure(DesiredMachine machine);

    /**
     * Tells whether one more machine would get its GPU now. Only reads. Empty where the supplier can tell only by a start.
     *
     * @throws IllegalArgumentException when such a machine is refused; the message names the option and the value
     * @throws FleetException where the supplier does not answer
     */
    default Optional<GpuAvailability> availability(GpuType gpu) {
        return Optional.empty();
    }

    /** All machines of the installation, those that have ended and were not removed yet among them; oldest first. */
    List<MachineObservation> list();

    /**
     * Tells of all machines there are, then of each change, {@link MachineObservation.State#GONE} included. What is missed
     * while the supplier cannot be reached is made up for by the newest state of each machine when it is back.
     *
     * @param listener called by one thread at a time, which must not block for long
     */
    FleetWatch watch(Consumer<MachineObservation> listener);

    /**
     * Lets one more token open a machine, or changes until when it does.
     *
     * @throws FleetException {@code NOT_FOUND} where there is no such machine or it has ended
     */
    void bind(MachineRef machine, Grant grant);

    /**
     * Takes a grant back: the token opens nothing any more, and sessions that it has opened end within seconds of when the machine
     * hears of it. Taking back one that is not there succeeds.
     *
     * @throws FleetException {@code NOT_FOUND} where there is no such machine or it has ended
     */
    void revoke(MachineRef machine, String tokenSha256);

    /**
     * Ends a machine in good order and removes what belongs to it. Returns when that is sure to happen, which may be
     * before it is over: a list has the machine as {@link MachineObservation.State#ENDING} until nothing is left. Where there
     * is none, nothing happens.
     */
    void end(MachineRef machine);

    /**
     * The lines of a machine's log, from the first on. Fails with {@code NOT_FOUND} where there is no such machine.
     *
     * @param follow whether those to come as well, until the machine ends or the subscription is cancelled
     */
    Multi<String> logs(MachineRef machine, boolean follow);

    /**
     * What the runner beside a machine has printed of itself before its program began, oldest first: the newest lines that begin
     * with {@link JobRun#LOG_PREFIX}, without the prefix. Empty where there is no runner, or where the supplier cannot read its log.
     *
     * @throws FleetException where the supplier does not answer
     */
    default List<String> runnerLog(MachineRef machine) {
        return List.of();
    }

    /** Gives back connections and threads of this object, and ends its watches; no machine is touched. */
    @Override
    void close();
}
