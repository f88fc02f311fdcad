package dev.outpost.backend.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.FairShare.Standing;
import dev.outpost.backend.model.FairShare.Use;
import dev.outpost.backend.model.FairShare.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class FairShareTest {
    private static final Instant NOW = MachineFixtures.START;
    private static final Duration DAY = Duration.ofHours(24);

    private final FairShare shares = new FairShare(DAY);
    private int drawn;

    private Waiting waiting(String project, int priority, int secondsAgo) {
        return waiting("acme", project, priority, secondsAgo);
    }

    private Waiting waiting(String organisation, String project, int priority, int secondsAgo) {
        return new Waiting(
                new UUID(0, drawn++), organisation, project, "A100", false, priority, 1, NOW.minusSeconds(secondsAgo));
    }

    private List<String> order(List<Waiting> waiting, Map<String, Standing> standings) {
        return shares.order(waiting, standings).stream().map(Waiting::project).toList();
    }

    @Test
    void projectThatUsedLessGoesFirst() {
        List<Waiting> waiting = List.of(waiting("much", 0, 90), waiting("little", 0, 10));
        Map<String, Standing> standings =
                Map.of("acme/much", new Standing(1_000, 0), "acme/little", new Standing(10, 0));
        assertEquals(List.of("little", "much"), order(waiting, standings));
    }

    @Test
    void priorityGoesBeforeUse() {
        List<Waiting> waiting = List.of(waiting("little", 0, 90), waiting("much", 1, 10));
        assertEquals(List.of("much", "little"), order(waiting, Map.of("acme/much", new Standing(1_000, 0))));
    }

    @Test
    void olderRequestGoesFirstAmongEquals() {
        Waiting young = waiting("vision", 0, 10);
        Waiting old = waiting("vision", 0, 90);
        assertEquals(List.of(old, young), shares.order(List.of(young, old), Map.of()));
    }

    /** A hundred requests of one project came first, and still the only request of the other project is second in the queue. */
    @Test
    void aBurstDoesNotStarveASingleRequest() {
        List<Waiting> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(waiting("burst", 0, 1_000 - i));
        }
        waiting.add(waiting("single", 0, 1));
        assertEquals(1, order(waiting, Map.of()).indexOf("single"));
    }

    /** Priorities and the number of projects matter only within an organisation. */
    @Test
    void organisationsTakeTurnsWhateverTheirPrioritiesAndProjects() {
        List<Waiting> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(waiting("hostile", "p" + i, 1_000, 1_000 - i));
        }
        waiting.add(waiting("acme", "single", -1_000, 1));
        assertEquals(1, order(waiting, Map.of()).indexOf("single"));
        assertEquals(
                0, order(waiting, Map.of("hostile/other", new Standing(0, 1))).indexOf("single"));
    }

    @Test
    void machinesOfPoolsGiveWay() {
        List<Waiting> waiting = List.of(waiting(Pool.ORGANISATION, "warm", 0, 90), waiting("acme", "vision", 0, 10));
        assertEquals(List.of("vision", "warm"), order(waiting, Map.of("acme/vision", new Standing(1e9, 50))));
    }

    /** A request that cannot start does not use up its organisation's turn. */
    @Test
    void onlyAMachineThatWasGivenCounts() {
        FairShare.Turns turns = shares.turns(
                List.of(waiting("acme", "a", 0, 90), waiting("acme", "a", 0, 80), waiting("other", "b", 0, 70)),
                Map.of());
        assertEquals("a", turns.next().orElseThrow().project());
        assertEquals("a", turns.next().orElseThrow().project());
        assertEquals("b", turns.next().orElseThrow().project());
        assertTrue(turns.next().isEmpty());
    }

    @Test
    void useCountsHalfAfterTheHalfLife() {
        Use now = new Use(NOW.minusSeconds(60), NOW, 2);
        Use earlier = new Use(NOW.minusSeconds(60).minus(DAY), NOW.minus(DAY), 2);
        assertEquals(120, shares.decayed(List.of(now), NOW), 0.1);
        assertEquals(shares.decayed(List.of(now), NOW) / 2, shares.decayed(List.of(earlier), NOW), 1e-6);
    }
}
