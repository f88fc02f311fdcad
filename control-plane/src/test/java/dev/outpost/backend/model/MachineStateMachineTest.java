package dev.outpost.backend.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.EventType;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MachineStateMachineTest {
    private static final Instant NOW = MachineFixtures.START.plusSeconds(10);
    private static final Observation PLACED = new Observation.Placed("host");
    private static final Observation BOOTS = new Observation.Starting(1, Phase.BOOT, "its runtime is starting");
    private static final Observation SERVES = new Observation.Serving(1, MachineFixtures.ADDRESS);

    private final MachineStateMachine stateMachine = new MachineStateMachine(MachineFixtures.SETTINGS);

    private Transition apply(Machine row, Observation observation) {
        return stateMachine.apply(row, observation, NOW);
    }

    private static List<EventType> types(Transition transition) {
        return transition.events().stream().map(MachineEvent::type).toList();
    }

    @Test
    void placedMachineIsAskedForAtItsCluster() {
        Transition next = apply(MachineFixtures.queued(), PLACED);
        assertEquals(Phase.ADMITTED, next.row().phase());
        assertEquals(Optional.of("host"), next.row().cluster());
        assertEquals(Optional.of(NOW.plus(Duration.ofHours(2))), next.row().endsAt());
        assertEquals(List.of(EventType.ADMITTED), types(next));
        assertEquals(Optional.of(Command.ENSURE), next.command());
    }

    @Test
    void servingMachineIsReady() {
        Transition next = apply(MachineFixtures.after(NOW, PLACED, BOOTS), SERVES);
        assertEquals(Phase.READY, next.row().phase());
        assertEquals(Optional.of(MachineFixtures.ADDRESS), next.row().address());
        assertEquals(List.of(EventType.READY), types(next));
    }

    @Test
    void machineIsReadyOnceItWasToldItsGrants() {
        Machine row = MachineFixtures.after(NOW, PLACED, new Observation.GrantsChanged());
        Transition bind = apply(row, SERVES);
        assertEquals(Phase.BIND, bind.row().phase());
        assertEquals(Optional.of(Command.BIND), bind.command());
        Transition ready = apply(bind.row(), new Observation.Bound(1));
        assertEquals(Phase.READY, ready.row().phase());
        assertFalse(ready.row().grantsDue());
    }

    @Test
    void unreachableMachineIsLostAndMayComeBack() {
        Transition lost = apply(MachineFixtures.after(NOW, PLACED, SERVES), new Observation.Missing(1));
        assertEquals(Phase.LOST, lost.row().phase());
        assertEquals(List.of(EventType.LOST), types(lost));
        Transition back = apply(lost.row(), SERVES);
        assertEquals(Phase.READY, back.row().phase());
        assertEquals(List.of(EventType.READY), types(back));
    }

    @Test
    void unreachableMachineEndsAfterTheGrace() {
        Machine lost = MachineFixtures.after(NOW, PLACED, SERVES, new Observation.Missing(1));
        Transition over =
                stateMachine.apply(lost, new Observation.Tick(), NOW.plus(MachineFixtures.SETTINGS.lostGrace()));
        assertEquals(Phase.ENDED, over.row().phase());
        assertEquals(Optional.of(EndReason.LOST), over.row().endReason());
        assertEquals(Optional.of(Command.END), over.command());
    }

    /** The machine may never have been requested, because the process that committed the row may have been killed afterwards. */
    @Test
    void missingMachineIsAskedForAgainRightAfterAdmission() {
        Machine row = MachineFixtures.after(NOW, PLACED);
        Transition next = apply(row, new Observation.Missing(1));
        assertEquals(row, next.row());
        assertEquals(Optional.of(Command.ENSURE), next.command());
    }

    @Test
    void queuedMachineEndsAtOnce() {
        Transition next = apply(MachineFixtures.queued(), new Observation.EndAsked("ada asked for it"));
        assertEquals(Phase.ENDED, next.row().phase());
        assertEquals(Optional.empty(), next.command());
    }

    @Test
    void placedMachineEndsWhenItsClusterHasNothingLeftOfIt() {
        Transition ending =
                apply(MachineFixtures.after(NOW, PLACED, SERVES), new Observation.EndAsked("ada asked for it"));
        assertEquals(Phase.ENDING, ending.row().phase());
        assertEquals(Optional.of(Command.END), ending.command());
        assertEquals(Optional.of(NOW), ending.row().endAsked());
        Transition over = apply(ending.row(), new Observation.Missing(1));
        assertEquals(Phase.ENDED, over.row().phase());
        assertEquals(Optional.of(EndReason.REQUESTED), over.row().endReason());
        assertEquals("ada asked for it", over.row().text());
    }

    /** No backend may have run when the machine's life ended. */
    @Test
    void machineIsChargedUntilItsLifeIsOver() {
        Machine row = MachineFixtures.after(NOW, PLACED, SERVES);
        Transition next = stateMachine.apply(row, new Observation.Tick(), NOW.plus(Duration.ofHours(9)));
        assertEquals(NOW.plus(Duration.ofHours(2)), next.events().getFirst().at());
        assertEquals(NOW.plus(Duration.ofHours(9)), next.row().since());
    }

    @Test
    void machineIsNotChargedForLessThanNothing() {
        Machine row = MachineFixtures.after(NOW, PLACED, SERVES);
        Instant before = NOW.minusSeconds(9);
        Instant later = NOW.plusSeconds(9);
        for (Optional<Instant> until : List.of(Optional.of(before), Optional.of(later.plusSeconds(1)))) {
            Transition next = stateMachine.apply(row, new Observation.Missing(1, until), later);
            Instant expected =
                    until.filter(later::isBefore).map(future -> later).orElse(NOW);
            assertEquals(expected, next.events().getFirst().at());
        }
    }

    @Test
    void machineEndsWhenItsLifeIsOver() {
        Machine row = MachineFixtures.after(NOW, PLACED, SERVES);
        Transition next =
                stateMachine.apply(row, new Observation.Tick(), row.endsAt().orElseThrow());
        assertEquals(Phase.ENDING, next.row().phase());
        assertEquals(Optional.of(EndReason.EXPIRED), next.row().endReason());
    }

    @Test
    void extensionInTheLastMomentCounts() {
        Machine row = MachineFixtures.after(NOW, PLACED, SERVES);
        Instant end = row.endsAt().orElseThrow();
        Transition next = stateMachine.apply(row, new Observation.Extended(end.plusSeconds(60), "extended"), end);
        assertEquals(Phase.READY, next.row().phase());
        assertEquals(Optional.of(end.plusSeconds(60)), next.row().endsAt());
    }

    @Test
    void startTimeoutNamesThePhase() {
        Machine row = MachineFixtures.after(NOW, PLACED, new Observation.Starting(1, Phase.IMAGE, "pulling the image"));
        Transition next =
                stateMachine.apply(row, new Observation.Tick(), NOW.plus(MachineFixtures.SETTINGS.startTimeout()));
        assertEquals(
                "it was not ready after 15 min, stuck at: pulling the image",
                next.row().text());
        assertEquals(Optional.of(EndReason.START_TIMEOUT), next.row().endReason());
    }

    @Test
    void refusedMachineEndsWithTheClustersReason() {
        Transition next = apply(MachineFixtures.after(NOW, PLACED), new Observation.Refused(1, "no such image"));
        assertEquals(Phase.ENDED, next.row().phase());
        assertEquals("no such image", next.row().text());
    }

    @Test
    void observationOfAnotherEpochIsIgnored() {
        Machine row = MachineFixtures.after(NOW, PLACED);
        assertEquals(
                row,
                apply(row, new Observation.Serving(2, MachineFixtures.ADDRESS)).row());
    }

    @Test
    void startPhasesDoNotGoBack() {
        Machine row = MachineFixtures.after(NOW, PLACED, BOOTS);
        assertEquals(
                row,
                apply(row, new Observation.Starting(1, Phase.NODE, "waiting for a node"))
                        .row());
    }

    @Test
    void readyIdleMachineIsNeverDue() {
        Machine row = MachineFixtures.after(NOW, PLACED, SERVES);
        assertEquals(row.endsAt(), NextDueTime.at(row, MachineFixtures.SETTINGS, NOW));
        assertTrue(apply(row, SERVES).command().isEmpty());
    }
}
