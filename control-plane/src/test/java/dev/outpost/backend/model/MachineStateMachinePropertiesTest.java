package dev.outpost.backend.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.UsageInterval;
import dev.outpost.rest.machine.EndReason;
import dev.outpost.rest.machine.Phase;
import dev.outpost.rest.machine.Phase.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties that hold for every life, with observations of any kind in any order. Each seed draws 2,000 lives. */
@Tag("quick")
class MachineStateMachinePropertiesTest {
    private static final UUID MEMBER = new UUID(3, 1);

    private static final int LIVES = 2_000;
    private static final int LENGTH = 30;
    private static final Phase[] STARTING = {Phase.NODE, Phase.IMAGE, Phase.BOOT};
    private static final Phase[] QUEUED = {Phase.QUOTA, Phase.POSITION, Phase.CAPACITY};

    private final MachineStateMachine stateMachine = new MachineStateMachine(MachineFixtures.SETTINGS);

    @Test
    void everyRandomLifeKeepsItsInvariants() {
        drawLives(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4})
    @Tag("full")
    void randomLivesOfOtherSeedsKeepTheirInvariants(long seed) {
        drawLives(seed);
    }

    private void drawLives(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < LIVES; i++) {
            live(random);
        }
    }

    private void live(Random random) {
        Machine row = MachineFixtures.queued();
        Instant now = MachineFixtures.START;
        List<MachineEvent> events = new ArrayList<>();
        for (int step = 0; step < LENGTH; step++) {
            now = now.plus(passed(random));
            Observation observation = draw(random, now);
            Transition next = stateMachine.apply(row, observation, now);
            check(row, observation, next);
            events.addAll(next.events());
            checkLedger(next.row(), events, now);
            checkRepetition(next, observation, now);
            row = next.row();
        }
    }

    private static void check(Machine before, Observation observation, Transition next) {
        Machine after = next.row();
        String what = before + " saw " + observation + " and became " + after;
        assertEquals(before.version() + (next.changes(before) ? 1 : 0), after.version(), what);
        assertTrue(next.changes(before) || next.events().isEmpty(), what);
        assertFalse(before.phase() == Phase.ENDED && next.changes(before), what);
        boolean isPlaced = before.phase().state() != State.QUEUED;
        assertFalse(isPlaced && after.phase().state() == State.QUEUED, what);
        if (before.phase() == Phase.ENDING) {
            assertTrue(after.phase() == Phase.ENDING || after.phase() == Phase.ENDED, what);
        }
        if (before.endAsked().isPresent()) {
            assertEquals(before.endAsked(), after.endAsked(), what);
            assertEquals(before.endReason(), after.endReason(), what);
        }
        assertEquals(
                after.phase() == Phase.ENDING || after.phase() == Phase.ENDED,
                after.endReason().isPresent(),
                what);
        assertEquals(after.phase() == Phase.LOST, after.lostFrom().isPresent(), what);
        assertTrue(
                after.phase().state() == State.QUEUED
                        || after.phase() == Phase.ENDED
                        || after.cluster().isPresent(),
                what);
        assertTrue(after.phase() != Phase.READY || after.address().isPresent(), what);
        next.command()
                .ifPresent(command ->
                        assertTrue(before.phase().isPlaced() || after.phase().isPlaced(), what));
    }

    /** A machine is charged exactly while it is ready, and not a second after its end was requested. */
    private static void checkLedger(Machine row, List<MachineEvent> events, Instant now) {
        List<UsageInterval> usages = Ledger.usages(events);
        boolean isOpen = !usages.isEmpty() && usages.getLast().to().isEmpty();
        assertEquals(row.phase() == Phase.READY, isOpen, () -> row + " with " + usages);
        for (int i = 1; i < usages.size(); i++) {
            assertFalse(usages.get(i).from().isBefore(usages.get(i - 1).to().orElseThrow()), usages::toString);
        }
        row.endAsked()
                .ifPresent(asked -> usages.forEach(usage -> assertFalse(
                        usage.to().orElseThrow().isAfter(Ledger.second(asked)),
                        () -> row + " with " + usages + " at " + now)));
    }

    /** An observation that is repeated changes nothing the second time. */
    private void checkRepetition(Transition first, Observation observation, Instant now) {
        Transition again = stateMachine.apply(first.row(), observation, now);
        assertTrue(
                again.events().isEmpty() || !first.events().isEmpty() || isTimeout(first.row(), again),
                () -> first.row() + " saw " + observation + " again and became " + again.row());
        Transition third = stateMachine.apply(again.row(), observation, now);
        assertEquals(again.row(), third.row(), () -> first.row() + " saw " + observation + " three times");
    }

    private static boolean isTimeout(Machine before, Transition after) {
        return before.phase() != after.row().phase();
    }

    private static Duration passed(Random random) {
        return switch (random.nextInt(10)) {
            case 0 -> Duration.ofMinutes(random.nextInt(90));
            case 1, 2 -> Duration.ofSeconds(random.nextInt(90));
            default -> Duration.ofMillis(random.nextInt(900));
        };
    }

    private static Observation draw(Random random, Instant now) {
        int epoch = random.nextInt(8) == 0 ? 2 : 1;
        return switch (random.nextInt(16)) {
            case 0 -> new Observation.Tick();
            case 1 -> new Observation.Held(QUEUED[random.nextInt(QUEUED.length)], "position " + random.nextInt(3));
            case 2, 3 -> new Observation.Placed("host");
            case 4 ->
                random.nextBoolean()
                        ? new Observation.Placed("host")
                        : new Observation.Claimed("host", MachineFixtures.ADDRESS, MEMBER, Optional.empty());
            case 5, 6 ->
                new Observation.Starting(epoch, STARTING[random.nextInt(STARTING.length)], "text " + random.nextInt(2));
            case 7, 8, 9 -> new Observation.Serving(epoch, MachineFixtures.ADDRESS);
            case 10 -> new Observation.Unreachable(epoch, "its node does not answer");
            case 11 ->
                random.nextBoolean()
                        ? new Observation.Stopped(epoch, EndReason.FAILED, "its process ended")
                        : new Observation.Stopping(epoch, "it was told to end");
            case 12 -> new Observation.Missing(epoch);
            case 13 -> new Observation.Bound(epoch);
            case 14 ->
                random.nextBoolean()
                        ? new Observation.GrantsChanged()
                        : new Observation.Extended(now.plusSeconds(random.nextInt(7200)), "extended");
            default ->
                random.nextInt(3) == 0
                        ? new Observation.EndAsked("ada asked for it")
                        : random.nextInt(4) == 0
                                ? new Observation.Taken(MEMBER)
                                : new Observation.Refused(epoch, "no such image");
        };
    }
}
