package dev.outpost.backend.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Draws the steps of a history. They follow from the seed alone. Each history has only some kinds of operations and of faults, drawn first: rare
 * combinations come up sooner in such histories than in ones that have a little of everything.
 */
final class StepDrawer {
    private static final int[] CLOCK_STEPS = {-60, 60};

    private final Random random;
    private final List<Supplier<Step>> operations;
    private final List<Supplier<Step>> faults;

    private StepDrawer(long seed) {
        this.random = new Random(seed);
        this.operations = some(List.of(
                this::start,
                this::start,
                () -> new Step.Stop(any()),
                () -> new Step.Leave(any()),
                this::submit,
                this::submit,
                () -> new Step.Cancel(any()),
                () -> new Step.Deploy(organisation(), within(1, 2)),
                () -> new Step.Demand(any(), within(0, 3)),
                () -> new Step.Undeploy(any()),
                () -> new Step.SetBudget(organisation(), chance(20) ? 0 : within(2, 60)),
                () -> new Step.SetPool(within(0, 2))));
        this.faults = some(List.of(
                () -> new Step.Kill(replica(), within(0, 40)),
                () -> new Step.Kill(replica(), within(0, 40)),
                () -> new Step.Pause(replica(), within(1, 40), within(1, 12)),
                () -> new Step.KillDatabase(replica(), within(1, 20), random.nextBoolean()),
                () -> new Step.Disk(chance(50)),
                () -> new Step.Cut(cluster(), chance(60)),
                () -> new Step.LoseAnswers(cluster(), within(1, 3)),
                () -> new Step.KillMachine(any()),
                () -> new Step.KillRunner(any()),
                () -> new Step.LoseNode(any(), within(5, 1_200)),
                () -> new Step.KillHost(cluster()),
                () -> new Step.StepClock(CLOCK_STEPS[random.nextInt(2)]),
                () -> new Step.StepHostClock(cluster(), CLOCK_STEPS[random.nextInt(2)])));
    }

    static List<Step> draw(long seed, int count) {
        StepDrawer drawer = new StepDrawer(seed);
        List<Step> steps = new ArrayList<>();
        while (steps.size() < count) {
            steps.add(drawer.step());
            // Most of the time things go on.
            if (drawer.chance(50)) {
                steps.add(new Step.Advance(drawer.within(1, 15)));
                steps.add(new Step.Round(drawer.replica()));
            }
        }
        return List.copyOf(steps.subList(0, count));
    }

    /** About half of them, and one at least. */
    private List<Supplier<Step>> some(List<Supplier<Step>> all) {
        List<Supplier<Step>> drawn =
                all.stream().filter(one -> random.nextBoolean()).toList();
        return drawn.isEmpty() ? List.of(all.getFirst()) : drawn;
    }

    private Step step() {
        int kind = random.nextInt(100);
        if (kind < 35) {
            return operations.get(random.nextInt(operations.size())).get();
        }
        if (kind < 55) {
            return time();
        }
        return chance(20)
                ? new Step.Revive(replica())
                : faults.get(random.nextInt(faults.size())).get();
    }

    private Step time() {
        return switch (random.nextInt(4)) {
            case 0 -> new Step.Advance(within(60, 900));
            case 1, 2 -> new Step.Pass(within(1, 5));
            default -> new Step.Work(replica(), Replica.Loop.values()[random.nextInt(Replica.Loop.values().length)]);
        };
    }

    private Step start() {
        return new Step.Start(organisation(), random.nextBoolean(), chance(30) ? within(1, 30) : 0);
    }

    private Step submit() {
        return new Step.Submit(organisation(), within(0, 2), within(5, 1_800), chance(70) ? 0 : 1);
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
