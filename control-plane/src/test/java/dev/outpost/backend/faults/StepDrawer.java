package dev.outpost.backend.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Draws the steps of a history. They follow from the seed alone. Each history has only some kinds of operations and of faults, drawn
 * first: rare combinations occur sooner in such histories than in histories with a few steps of every kind.
 */
final class StepDrawer {
    private static final int[] CLOCK_STEPS = {-60, 60};

    private final Random random;
    private final List<Supplier<HistoryStep>> operations;
    private final List<Supplier<HistoryStep>> faults;

    private StepDrawer(long seed) {
        this.random = new Random(seed);
        this.operations = some(List.of(
                this::start,
                this::start,
                () -> new HistoryStep.Stop(any()),
                () -> new HistoryStep.Leave(any()),
                this::submit,
                this::submit,
                () -> new HistoryStep.Cancel(any()),
                () -> new HistoryStep.Deploy(organisation(), within(1, 2)),
                () -> new HistoryStep.Demand(any(), within(0, 3)),
                () -> new HistoryStep.Undeploy(any()),
                () -> new HistoryStep.SetBudget(organisation(), chance(20) ? 0 : within(2, 60)),
                () -> new HistoryStep.SetPool(within(0, 2))));
        this.faults = some(List.of(
                () -> new HistoryStep.Kill(replica(), within(0, 40)),
                () -> new HistoryStep.Kill(replica(), within(0, 40)),
                () -> new HistoryStep.Pause(replica(), within(1, 40), within(1, 12)),
                () -> new HistoryStep.KillDatabase(replica(), within(1, 20), random.nextBoolean()),
                () -> new HistoryStep.Disk(chance(50)),
                () -> new HistoryStep.Cut(cluster(), chance(60)),
                () -> new HistoryStep.LoseAnswers(cluster(), within(1, 3)),
                () -> new HistoryStep.KillMachine(any()),
                () -> new HistoryStep.KillRunner(any()),
                () -> new HistoryStep.LoseNode(any(), within(5, 1_200)),
                () -> new HistoryStep.KillHost(cluster()),
                () -> new HistoryStep.StepClock(CLOCK_STEPS[random.nextInt(2)]),
                () -> new HistoryStep.StepHostClock(cluster(), CLOCK_STEPS[random.nextInt(2)])));
    }

    static List<HistoryStep> draw(long seed, int count) {
        StepDrawer drawer = new StepDrawer(seed);
        List<HistoryStep> steps = new ArrayList<>();
        while (steps.size() < count) {
            steps.add(drawer.step());
            // Most steps let the loops run.
            if (drawer.chance(50)) {
                steps.add(new HistoryStep.Advance(drawer.within(1, 15)));
                steps.add(new HistoryStep.Round(drawer.replica()));
            }
        }
        return List.copyOf(steps.subList(0, count));
    }

    /** Draws about half of them, and at least one. */
    private List<Supplier<HistoryStep>> some(List<Supplier<HistoryStep>> all) {
        List<Supplier<HistoryStep>> drawn =
                all.stream().filter(one -> random.nextBoolean()).toList();
        return drawn.isEmpty() ? List.of(all.getFirst()) : drawn;
    }

    private HistoryStep step() {
        int kind = random.nextInt(100);
        if (kind < 35) {
            return operations.get(random.nextInt(operations.size())).get();
        }
        if (kind < 55) {
            return time();
        }
        return chance(20)
                ? new HistoryStep.Revive(replica())
                : faults.get(random.nextInt(faults.size())).get();
    }

    private HistoryStep time() {
        return switch (random.nextInt(4)) {
            case 0 -> new HistoryStep.Advance(within(60, 900));
            case 1, 2 -> new HistoryStep.Pass(within(1, 5));
            default ->
                new HistoryStep.Work(
                        replica(), BackendReplica.Loop.values()[random.nextInt(BackendReplica.Loop.values().length)]);
        };
    }

    private HistoryStep start() {
        return new HistoryStep.Start(organisation(), random.nextBoolean(), chance(30) ? within(1, 30) : 0);
    }

    private HistoryStep submit() {
        return new HistoryStep.Submit(organisation(), within(0, 2), within(5, 1_800), chance(70) ? 0 : 1);
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private int within(int min, int max) {
        return random.nextInt(min, max + 1);
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
