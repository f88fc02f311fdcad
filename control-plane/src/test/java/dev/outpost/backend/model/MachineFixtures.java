package dev.outpost.backend.model;

import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Machines for tests. */
public final class MachineFixtures {
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    static final LifeSettings SETTINGS = new LifeSettings(Duration.ofMinutes(15), Duration.ofMinutes(1));
    static final Machine.Address ADDRESS = new Machine.Address("192.0.2.1", 1, "0c".repeat(32));

    private MachineFixtures() {}

    public static Request request(String project, int gpus) {
        return new Request(
                "acme",
                project,
                "ada",
                "A100",
                gpus,
                1,
                Optional.of(Duration.ofHours(2)),
                Optional.empty(),
                Optional.empty());
    }

    static Machine queued() {
        return Machine.queued(new UUID(0, 1), request("vision", 1), Phase.POSITION, "it waits", START);
    }

    /** A machine after the given observations. */
    static Machine after(Instant now, Observation... seen) {
        MachineStateMachine stateMachine = new MachineStateMachine(SETTINGS);
        Machine row = queued();
        for (Observation next : seen) {
            row = stateMachine.apply(row, next, now).row();
        }
        return row;
    }
}
