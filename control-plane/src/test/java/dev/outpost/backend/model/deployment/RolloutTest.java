package dev.outpost.backend.model.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.model.deployment.Replica.Use;
import dev.outpost.rest.deployment.ReplicaState;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RolloutTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Scale FROM_ZERO = new Scale(0, 4, 8, IDLE);

    private Instant now = START;
    private Instant heardSince = Instant.EPOCH;
    private Deployment row = Deployment.created("acme", "vision", "chat", FROM_ZERO, START);

    private static Replica replica(int revision, Phase phase, boolean served, Use... uses) {
        return new Replica(UUID.randomUUID(), revision, phase, "text", served, Optional.empty(), List.of(uses));
    }

    private Use use(ReplicaState state, int requests) {
        return new Use("gateway", state, requests, 0, "", now);
    }

    private Replica serving(int revision, int requests) {
        return replica(revision, Phase.READY, true, use(ReplicaState.SERVING, requests));
    }

    private static Replica draining(Replica one, Instant since) {
        return new Replica(
                one.machine(),
                one.revision(),
                one.phase(),
                one.machineText(),
                one.hasServed(),
                Optional.of(since),
                one.uses());
    }

    private Rollout.Plan plan(int held, Replica... replicas) {
        Rollout.Plan plan = Rollout.plan(row, List.of(replicas), held, heardSince, now);
        row = plan.row();
        return plan;
    }

    @Test
    void firstRequestStartsAReplica() {
        assertEquals(0, plan(0).start());
        assertEquals(1, plan(1).start());
        assertEquals(1, row.wanted());
        assertEquals(0, plan(1, replica(1, Phase.BOOT, false)).start(), "one is on its way");
    }

    @Test
    void replicasFollowTheRequests() {
        plan(1);
        Rollout.Plan more = plan(0, serving(1, 20));
        assertEquals(3, row.wanted());
        assertEquals(2, more.start());
        plan(1_000, serving(1, 20));
        assertEquals(4, row.wanted(), "no more than the most");
    }

    @Test
    void fullCachesAskForAnotherReplica() {
        plan(1);
        Use full = new Use("gateway", ReplicaState.SERVING, 2, 0.95, "", now);
        plan(0, replica(1, Phase.READY, true, full));
        assertEquals(2, row.wanted());
    }

    /** After an absence of the backend, gateways have not reported their requests yet. */
    @Test
    void silenceCountsFromWhenGatewaysAreHeard() {
        plan(1);
        Replica serving = serving(1, 0);
        Replica leaving = draining(serving(1, 0), now);
        now = now.plus(IDLE).plus(Rollout.DRAIN);
        heardSince = now;
        Rollout.Plan first = plan(0, serving, leaving);
        assertEquals(1, row.wanted());
        assertEquals(List.of(), first.drain());
        assertEquals(List.of(), first.end());
        now = now.plus(Rollout.SILENCE).plusMillis(1);
        Rollout.Plan later = plan(0, serving, leaving);
        assertEquals(List.of(serving.machine()), later.drain());
        assertEquals(List.of(leaving.machine()), later.end());
    }

    @Test
    void idleDeploymentGoesToZeroAfterItsTime() {
        plan(1);
        Replica one = serving(1, 0);
        now = now.plus(IDLE).minusSeconds(1);
        assertTrue(plan(0, replica(1, Phase.READY, true, use(ReplicaState.SERVING, 0)))
                .drain()
                .isEmpty());
        now = now.plusSeconds(1);
        Replica idle = replica(1, Phase.READY, true, use(ReplicaState.SERVING, 0));
        assertEquals(List.of(idle.machine()), plan(0, idle).drain());
        assertEquals(0, row.wanted());
        assertFalse(one.isDraining());
    }

    @Test
    void loadThatFallsForAMomentKeepsReplicas() {
        plan(30);
        assertEquals(4, row.wanted());
        plan(0, serving(1, 3), serving(1, 0), serving(1, 0), serving(1, 0));
        assertEquals(4, row.wanted());
        now = now.plus(Rollout.SETTLE);
        Replica busy = serving(1, 3);
        Rollout.Plan fewer = plan(0, busy, serving(1, 0), serving(1, 0), serving(1, 0));
        assertEquals(1, row.wanted());
        assertEquals(3, fewer.drain().size());
        assertFalse(fewer.drain().contains(busy.machine()), "the one with requests stays");
    }

    @Test
    void drainedReplicaEndsOnlyWhenNothingIsUnderWayThere() {
        Replica busy = draining(serving(1, 1), now);
        assertTrue(plan(0, busy).end().isEmpty());
        Replica drained = draining(replica(1, Phase.READY, true, use(ReplicaState.DRAINED, 0)), now);
        assertEquals(List.of(drained.machine()), plan(0, drained).end());
        Use silent = new Use("gone", ReplicaState.SERVING, 3, 0, "", now.minusSeconds(60));
        Replica unheard = draining(replica(1, Phase.READY, true, silent), now);
        assertTrue(plan(0, unheard).end().isEmpty(), "a gateway out of sight had requests there");
        now = now.plus(Rollout.DRAIN);
        assertEquals(List.of(unheard.machine()), plan(0, unheard).end());
    }

    @Test
    void oldRevisionServesUntilTheNewOneDoes() {
        plan(1, serving(1, 1));
        assertEquals(Optional.of(1), row.proven());
        row = row.changed(FROM_ZERO, Optional.of(2));
        Replica old = serving(1, 1);
        Rollout.Plan begun = plan(0, old);
        assertEquals(1, begun.start());
        assertTrue(begun.drain().isEmpty());
        Replica loading = replica(2, Phase.READY, false, use(ReplicaState.LOADING, 0));
        assertTrue(plan(0, old, loading).drain().isEmpty());
        Replica fresh = replica(2, Phase.READY, false, use(ReplicaState.SERVING, 0));
        Rollout.Plan rolled = plan(0, old, fresh);
        assertEquals(List.of(old.machine()), rolled.drain());
        assertEquals(List.of(fresh.machine()), rolled.proven());
        assertEquals(Optional.of(2), row.proven());
    }

    @Test
    void badRevisionIsRolledBack() {
        plan(1, serving(1, 1));
        row = row.changed(FROM_ZERO, Optional.of(2));
        Replica old = serving(1, 1);
        for (int attempt = 1; attempt < Rollout.ATTEMPTS; attempt++) {
            Rollout.Plan failed = plan(0, old, replica(2, Phase.READY, false, use(ReplicaState.FAILED, 0)));
            assertEquals(0, failed.start(), "it waits before another attempt");
            assertEquals(1, failed.end().size());
            assertTrue(failed.failure().isEmpty());
        }
        Rollout.Plan last = plan(0, old, replica(2, Phase.ENDED, false));
        assertEquals(Optional.of("text"), last.failure());
        assertEquals(1, row.revision());
        assertTrue(last.drain().isEmpty());
        assertEquals("rolled back to revision 1: text", row.text());
    }

    @Test
    void firstRevisionThatFailsIsTriedAgainMoreAndMoreRarely() {
        plan(1);
        Duration before = Duration.ZERO;
        for (int attempt = 1; attempt < 12; attempt++) {
            plan(1, replica(1, Phase.ENDED, false));
            Duration pause = Duration.between(now, row.retryAt().orElseThrow());
            assertTrue(pause.compareTo(before) > 0 || attempt > 8, pause.toString());
            assertEquals(0, plan(1).start());
            assertTrue(row.text().startsWith("revision 1 does not start, attempt " + attempt + ": text"), row.text());
            now = row.retryAt().orElseThrow();
            assertEquals(1, plan(1).start());
            before = pause;
        }
    }

    /** From the third failure on requests are refused with its text, even while no replica is started. */
    @Test
    void reasonOfFailuresStaysUntilAReplicaServes() {
        plan(1);
        plan(1, replica(1, Phase.ENDED, false));
        String reason = row.text();
        assertTrue(reason.startsWith("revision 1 does not start, attempt 1: text"), reason);
        now = row.retryAt().orElseThrow().plusSeconds(1);
        plan(1, replica(1, Phase.BOOT, false));
        assertEquals(reason, row.text());
        now = now.plus(IDLE);
        plan(0);
        assertEquals(0, row.wanted());
        assertEquals(reason, row.text());
        plan(1, serving(1, 0));
        assertEquals("1 of 1 replicas serve; 1 requests wait for one", row.text());
    }

    @Test
    void refusedStartIsToldInPlaceOfAnEarlierFailure() {
        plan(1, replica(1, Phase.ENDED, false));
        now = row.retryAt().orElseThrow();
        row = row.saying("the budget is used up");
        plan(1);
        assertEquals("0 of 1 replicas serve; 1 requests wait for one", row.text());
    }

    /** A gateway without recent reports counts as no demand, so its replica drains; the replica's request still waits. */
    @Test
    void failureOfAReplicaThatDrainsCounts() {
        plan(1);
        now = now.plus(IDLE);
        Replica loading = replica(1, Phase.READY, false);
        assertEquals(List.of(loading.machine()), plan(0, loading).drain());
        Replica failed = draining(replica(1, Phase.READY, false, use(ReplicaState.FAILED, 0)), now);
        assertEquals(List.of(failed.machine()), plan(1, failed).end());
        assertEquals(1, row.failures());
        plan(1, draining(replica(1, Phase.ENDING, false, use(ReplicaState.FAILED, 0)), now));
        plan(1, draining(replica(1, Phase.ENDED, false, use(ReplicaState.FAILED, 0)), now));
        assertEquals(1, row.failures(), "it counts once");
    }

    @Test
    void removedDeploymentDrainsAllItHas() {
        plan(9, serving(1, 0));
        row = row.removed();
        Replica one = serving(1, 0);
        Rollout.Plan plan = plan(0, one, replica(1, Phase.ENDED, true));
        assertEquals(List.of(one.machine()), plan.drain());
        assertEquals(1, plan.forget().size());
        assertEquals(0, plan.start());
    }

    /** There are never more starting replicas than the maximum, and never fewer wanted replicas than the minimum. */
    @Test
    void randomLoadsKeepTheBounds() {
        Random random = new Random(31);
        for (int run = 0; run < 200; run++) {
            int min = random.nextInt(3);
            Scale scale = new Scale(min, Math.max(1, min + random.nextInt(4)), 1 + random.nextInt(8), IDLE);
            now = START;
            row = Deployment.created("acme", "vision", "chat", scale, now);
            List<Replica> live = new ArrayList<>();
            for (int step = 0; step < 100; step++) {
                now = now.plusSeconds(random.nextInt(90));
                live.replaceAll(one -> random(random, one));
                Rollout.Plan plan = plan(random.nextInt(40), live.toArray(Replica[]::new));
                assertTrue(row.wanted() >= scale.min() && row.wanted() <= scale.max(), row.toString());
                live.replaceAll(one -> plan.drain().contains(one.machine()) ? draining(one, now) : one);
                live.removeIf(one ->
                        plan.end().contains(one.machine()) || plan.forget().contains(one.machine()));
                for (int i = 0; i < plan.start(); i++) {
                    live.add(replica(row.revision(), Phase.POSITION, false));
                }
                long usable = live.stream().filter(one -> !one.isDraining()).count();
                assertTrue(usable <= scale.max(), () -> usable + " of " + scale);
            }
        }
    }

    private Replica random(Random random, Replica one) {
        Phase phase = random.nextInt(20) == 0 ? Phase.ENDED : Phase.READY;
        Use use = use(ReplicaState.values()[random.nextInt(ReplicaState.values().length)], random.nextInt(10));
        return new Replica(
                one.machine(), one.revision(), phase, "text", one.hasServed(), one.drainingSince(), List.of(use));
    }
}
