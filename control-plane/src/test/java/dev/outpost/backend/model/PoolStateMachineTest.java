package dev.outpost.backend.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.PoolStateMachine.Member;
import dev.outpost.backend.model.PoolStateMachine.PoolSnapshot;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PoolStateMachineTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Pool pool = pool(2, 5, false);

    private Pool pool(int min, int max, boolean paused) {
        return new Pool("warm", 1, "L4", min, max, MINUTE, MINUTE, paused, 0, Optional.empty(), now, "made");
    }

    private Member member(Phase phase) {
        return new Member(UUID.randomUUID(), phase, now);
    }

    private List<Member> ready(int count) {
        return Stream.generate(() -> member(Phase.READY)).limit(count).toList();
    }

    private PoolStateMachine.Plan plan(List<Member> members, int claims, String... failures) {
        PoolStateMachine.Plan plan =
                PoolStateMachine.plan(pool, new PoolSnapshot(members, claims, List.of(failures), false), now);
        pool = plan.row();
        return plan;
    }

    @Test
    void poolKeepsItsLeastAndAsManyAsWereClaimed() {
        assertEquals(2, plan(List.of(), 0).start());
        assertEquals(4, plan(List.of(), 4).start());
        assertEquals(5, plan(List.of(), 40).start(), "no more than the most");
        assertEquals(0, plan(ready(2), 0).start());
        assertEquals("2 of 2 wait for a request", pool.text());
    }

    @Test
    void surplusEndsBeginningWithWhatIsNotReady() {
        Member booting = member(Phase.BOOT);
        PoolStateMachine.Plan plan =
                plan(Stream.concat(ready(2).stream(), Stream.of(booting)).toList(), 0);
        assertEquals(List.of(booting.id()), plan.end());
    }

    @Test
    void failedMembersBackOffAndStopAfterALimit() {
        Duration before = Duration.ZERO;
        for (int attempt = 1; attempt < PoolStateMachine.ATTEMPTS; attempt++) {
            assertEquals(0, plan(List.of(), 0, "no image").start());
            Duration pause = Duration.between(now, pool.retryAt().orElseThrow());
            assertTrue(pause.compareTo(before) > 0);
            assertEquals(0, plan(List.of(), 0).start());
            now = now.plus(pause);
            assertEquals(2, plan(List.of(), 0).start());
            before = pause;
        }
        plan(List.of(), 0, "no image");
        now = now.plus(Duration.ofDays(1));
        assertEquals(0, plan(List.of(), 9).start());
        assertEquals("no more are started after 6 failures; change the pool to try again: no image", pool.text());
    }

    @Test
    void memberThatIsReadyForgivesFailures() {
        plan(List.of(), 0, "no image");
        plan(ready(1), 0);
        assertEquals(0, pool.failures());
        assertEquals(1, plan(ready(1), 0).start());
    }

    @Test
    void pausedPoolAndOneThatIsInTheWayKeepNothing() {
        List<Member> members = ready(3);
        assertEquals(
                3,
                PoolStateMachine.plan(pool, new PoolSnapshot(members, 3, List.of(), true), now)
                        .end()
                        .size());
        pool = pool(2, 5, true);
        assertEquals(3, plan(members, 3).end().size());
        assertEquals("it is paused", pool.text());
    }

    @Test
    void whateverIsSeenThereAreNeverMoreThanTheMost() {
        Random random = new Random(31);
        for (int run = 0; run < 1_000; run++) {
            int min = random.nextInt(4);
            pool = pool(min, Math.max(1, min + random.nextInt(4)), random.nextInt(10) == 0);
            List<Member> members = Stream.generate(() -> member(Phase.values()[random.nextInt(Phase.LOST.ordinal())]))
                    .limit(random.nextInt(10))
                    .toList();
            PoolStateMachine.Plan plan = plan(members, random.nextInt(9));
            int left = members.size() + plan.start() - plan.end().size();
            assertTrue(left <= pool.max() && (pool.isPaused() ? left == 0 : left >= pool.min()), pool.toString());
            assertTrue(plan.start() == 0 || plan.end().isEmpty());
        }
    }
}
