package dev.outpost.backend.simulation;

import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.MachineAddress;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A machine of a simulated cluster: its state, and its future states unless it is ended. */
final class SimulatedMachine {
    /** A planned change of the machine's state. */
    record Turn(Instant at, MachinePhase state, String reason) {}

    private final DesiredMachine desired;
    private final MachineAddress address;
    private final Instant created;
    private final Deque<Turn> turns = new ArrayDeque<>();
    private Turn now;

    SimulatedMachine(DesiredMachine desired, MachineAddress address, Turn first) {
        this.desired = desired;
        this.address = address;
        this.created = first.at();
        this.now = first;
    }

    /** Plans a change after the planned changes. */
    void plan(Instant at, MachinePhase state, String reason) {
        turns.add(new Turn(at, state, reason));
    }

    /** Ends the machine, and drops all other planned changes. */
    void end(Instant at, Instant gone) {
        if (now.state() != MachinePhase.ENDING) {
            turns.clear();
            now = new Turn(at, MachinePhase.ENDING, "it ends");
            plan(gone, MachinePhase.GONE, "it no longer exists");
        }
    }

    /** Applies the next due change. Returns false if there is none. */
    boolean turn(Instant time) {
        if (turns.isEmpty() || turns.peek().at().isAfter(time)) {
            return false;
        }
        now = turns.poll();
        return true;
    }

    MachinePhase state() {
        return now.state();
    }

    MachineObservation seen() {
        return new MachineObservation(
                desired.machine(),
                desired.gpu().name(),
                now.state(),
                now.reason(),
                now.state() == MachinePhase.ENDED ? Optional.of(EndCause.FAILED) : Optional.empty(),
                now.state() == MachinePhase.READY ? Optional.of(address) : Optional.empty(),
                created,
                now.at(),
                desired.labels());
    }
}
