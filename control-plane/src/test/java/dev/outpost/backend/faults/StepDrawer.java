package dev.outpost.backend.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Draws the steps of a history. They follow from the seed alone. */
final class StepDrawer {
    private static final int[] CLOCK_STEPS = {-60, 60};

    private final Random random;

    private StepDrawer(long seed) {
        this.random = new Random(seed);
    }

    static List<Step> draw(long seed, int count) {
        StepDrawer drawer = new StepDrawer(seed);
        List<Step> steps = new ArrayList<>();
        while (steps.size() < count) {
            steps.add(drawer.step());
            // Most of the time things go on.
            if (drawer.chance(60)) {
                steps.add(new Step.Advance(drawer.within(1, 15)));
                steps.add(new Step.Round(drawer.replica()));
            }
        }
        return List.copyOf(steps);
    }

    private Step step() {
        int kind = random.nextInt(100);
        if (kind < 45) {
            return operation();
        }
        return kind < 60 ? time() : fault();
    }

    private Step time() {
        return switch (random.nextInt(5)) {
            case 0 -> new Step.Advance(within(60, 900));
            case 1 -> new Step.Pass(within(1, 5));
            default -> new Step.Work(replica(), Replica.Loop.values()[random.nextInt(Replica.Loop.values().length)]);
        };
    }

    private Step operation() {
        return switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> new Step.Start(organisation(), random.nextBoolean(), chance(30) ? within(1, 30) : 0);
            case 4, 5 -> new Step.Stop(any());
            case 6 -> new Step.Leave(any());
            case 7, 8, 9 -> new Step.Submit(organisation(), within(0, 2), within(5, 600), chance(70) ? 0 : 1);
            case 10 -> new Step.Cancel(any());
            case 11 -> new Step.Deploy(organisation(), within(1, 2));
            case 12 -> new Step.Demand(any(), within(0, 3));
            case 13 -> new Step.Undeploy(any());
            case 14 -> new Step.SetBudget(organisation(), chance(20) ? 0 : within(5, 400));
            default -> new Step.SetPool(within(0, 2));
        };
    }

    private Step fault() {
        return switch (random.nextInt(22)) {
            case 0, 1, 2, 3 -> new Step.Kill(replica(), within(0, 12));
            case 4, 5, 6, 7 -> new Step.Revive(replica());
            case 8, 9 -> new Step.Pause(replica(), within(1, 12), within(1, 12));
            case 10 -> new Step.KillDatabase(replica(), within(1, 8), random.nextBoolean());
            case 11 -> new Step.Disk(chance(40));
            case 12, 13 -> new Step.Cut(cluster(), chance(45));
            case 14 -> new Step.LoseAnswers(cluster(), within(1, 3));
            case 15, 16 -> new Step.KillMachine(any());
            case 17 -> new Step.KillRunner(any());
            case 18 -> new Step.LoseNode(any(), within(5, 300));
            case 19 -> new Step.KillHost(cluster());
            case 20 -> new Step.StepClock(CLOCK_STEPS[random.nextInt(2)]);
            default -> new Step.StepHostClock(cluster(), CLOCK_STEPS[random.nextInt(2)]);
        };
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private int within(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    private int any() {
        return random.nextInt(1_000);
    }

    private int replica() {
        return random.nextInt(World.REPLICAS);
    }

    private int cluster() {
        return random.nextInt(Hosts.CLUSTERS);
    }

    private int organisation() {
        return random.nextInt(World.ORGANISATIONS.size());
    }
}
