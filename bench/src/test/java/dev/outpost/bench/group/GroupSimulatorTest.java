package dev.outpost.bench.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GroupSimulatorTest {
    private final GroupSimulator simulator = new GroupSimulator(new LinkCosts(1e-4, 1e9));

    @Test
    void oneMemberExchangesNothing() {
        StepCosts step = new StepCosts(0.5, 1 << 20, 3, 0);
        assertEquals(0.5, simulator.stepSeconds(step, 1));
    }

    /** With two members, each link carries the bytes once, in two steps. */
    @Test
    void aLargeSumOfTwoMembersTakesItsBytesOverTheBandwidth() {
        StepCosts step = new StepCosts(0, 100_000_000, 1, 0);
        assertEquals(0.1 + 2e-4, simulator.stepSeconds(step, 2), 1e-9);
    }

    @Test
    void manyMembersMoveAtMostTwiceTheBytes() {
        StepCosts step = new StepCosts(0, 1_000_000_000, 1, 0);
        assertEquals(2 * 71.0 / 72 + 142 * 1e-4, simulator.stepSeconds(step, 72), 1e-6);
    }

    @Test
    void whatOverlapsCostsOnlyWhatIsLongerThanComputing() {
        StepCosts hidden = new StepCosts(1, 100_000_000, 1, 1);
        assertEquals(1, simulator.stepSeconds(hidden, 2), 1e-9);
        StepCosts half = new StepCosts(1, 100_000_000, 1, 0.5);
        assertEquals(1 + (0.1 + 2e-4) / 2, simulator.stepSeconds(half, 2), 1e-9);
    }

    @Test
    void efficiencyFallsWithMembersAndRisesWithBandwidth() {
        StepCosts step = new StepCosts(0.1, 100_000_000, 10, 0);
        assertTrue(simulator.weakEfficiency(step, 8) > simulator.weakEfficiency(step, 72));
        GroupSimulator fast = new GroupSimulator(new LinkCosts(1e-4, 100e9));
        assertTrue(fast.weakEfficiency(step, 72) > simulator.weakEfficiency(step, 72));
    }
}
