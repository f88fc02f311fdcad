package dev.outpost.gpucheck.machine;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Tensor;
import dev.outpost.gpucheck.gpu.GpuFinding;
import dev.outpost.gpucheck.gpu.WrongAnswerException;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Parameter;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.SGD;
import dev.outpost.provider.GpuProvider;
import dev.outpost.runtime.cuda.check.CheckResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Checks several GPUs of this host as a group with a runtime for each: they sum the parts of a product, each kind of exchange gives the
 * right result, and two trainings have the same bits.
 */
public final class GroupOnGpus {
    private static final String REMEDY = "./outpost doctor tells which GPUs this host has; ask for no more than those.";
    private static final int ROUNDS = 5;
    private static final int SIDE = 96;
    private static final int STEPS = 3;

    private final GpuProvider provider;
    private final int size;
    private final MachineOptions options;
    private final int side;

    /**
     * Makes a check like {@link #ofSide}, with a product that is large enough for several GPUs.
     *
     * @param size the number of GPUs
     * @param options the options of each machine
     */
    public GroupOnGpus(GpuProvider provider, int size, MachineOptions options) {
        this(provider, size, options, 2048);
    }

    private GroupOnGpus(GpuProvider provider, int size, MachineOptions options, int side) {
        this.provider = provider;
        this.size = size;
        this.options = options;
        this.side = side;
    }

    /** Makes a check with a product of this number of rows and columns. */
    public GroupOnGpus ofSide(int rows) {
        return new GroupOnGpus(provider, size, options, rows);
    }

    /**
     * Returns a result for each check.
     *
     * @param present the number of GPUs of this host; if they are too few, nothing is started
     */
    public List<CheckResult> run(int present) {
        String name = "group of " + size + " GPUs";
        if (present < size) {
            return List.of(CheckResult.absent(
                    name, "this host has " + present + " GPUs, and " + size + " are asked for", REMEDY));
        }
        List<CheckResult> results = new ArrayList<>();
        try (MachineGroup group = MachineGroup.of(provider, "any", size, options)) {
            results.add(step(name + ": product", group, this::product));
            results.add(step(name + ": exchanges", group, this::exchanges));
            results.add(step(name + ": training", group, this::training));
        } catch (RuntimeException failure) {
            results.add(failed(name, failure));
        }
        return results;
    }

    private static CheckResult step(String name, MachineGroup group, Function<MachineGroup, GpuFinding> check) {
        try {
            GpuFinding finding = check.apply(group);
            return CheckResult.ok(name, finding.detail(), finding.figures());
        } catch (RuntimeException failure) {
            return failed(name, failure);
        }
    }

    private static CheckResult failed(String name, RuntimeException failure) {
        return CheckResult.failed(name, String.valueOf(failure.getMessage()), REMEDY);
    }

    // ---- the checks

    /** All elements are whole numbers that float32 represents, so the sum is exact in any order. */
    private GpuFinding product(MachineGroup group) {
        Tensor left = group.sharded(ones(side), 1);
        Tensor right = group.sharded(ones(side), 0);
        double seconds = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            // The last op is not linear, so the terms are summed on all machines.
            Tensor product = left.matmul(right).relu();
            require("a product that is cut", side, product.mean());
            seconds = Math.min(seconds, (System.nanoTime() - start) / 1e9);
        }
        double bytes = 4.0 * side * side;
        return GpuFinding.of(
                Map.of("seconds", seconds),
                "a product of %d² whose terms of %.3g MB are summed between %s: %.1f ms",
                side,
                bytes / 1e6,
                group.machine().device(),
                seconds * 1e3);
    }

    private GpuFinding exchanges(MachineGroup group) {
        HostTensor ones = ones(SIDE);
        double elements = (double) SIDE * SIDE;
        Tensor rows = group.sharded(ones, 0);
        require("a sum of parts", elements, rows.sum());
        require(
                "rows that are gathered",
                elements * (SIDE + 1) / 2,
                rows.cumsum(0).sum());
        require(
                "rows that become columns",
                2 * elements,
                rows.add(group.sharded(ones, 1)).sum());
        Tensor first = group.replicated(ones, List.of(0));
        Tensor last = group.replicated(ones, List.of(size - 1));
        require("what one sends to another", 2 * elements, first.add(last).sum());
        return GpuFinding.of(
                Map.of("exchanges", (double) group.stats().exchanges()),
                "sums, gathered rows, rows that become columns, and what one sends to another: %d exchanges, %s",
                group.stats().exchanges(),
                way(group));
    }

    /** Returns how the GPUs exchange, if they could do so without their hosts. */
    static String way(MachineGroup group) {
        return group.explain()
                .lines()
                .findFirst()
                .filter(line -> line.startsWith("exchanges by "))
                .map(line -> line.substring("exchanges ".length()))
                .orElse("by their hosts");
    }

    private GpuFinding training(MachineGroup group) {
        List<byte[]> first = trained(group);
        List<byte[]> second = trained(group);
        boolean isSame = IntStream.range(0, first.size())
                .allMatch(parameter -> Arrays.equals(first.get(parameter), second.get(parameter)));
        if (!isSame) {
            throw new WrongAnswerException("group: training twice, expected the same bits, got others");
        }
        return GpuFinding.of(Map.of("steps", (double) STEPS), "%d steps have the same bits twice", STEPS);
    }

    private static List<byte[]> trained(MachineGroup group) {
        group.machine().manualSeed(1);
        Sequential model = new Sequential(new Linear(SIDE, 33), new ReLU(), new Linear(33, SIDE));
        model.to(group.machine());
        SGD optimizer = new SGD(model.parameters(), 1e-3);
        Tensor batch = group.sharded(ones(SIDE), 0);
        for (int step = 0; step < STEPS; step++) {
            optimizer.zeroGrad();
            Functional.mseLoss(model.forward(batch), batch).backward();
            optimizer.step();
        }
        return model.parameters().stream()
                .map(Parameter::tensor)
                .map(parameter -> parameter.toHost().bytes())
                .toList();
    }

    private void require(String what, double expected, Tensor found) {
        double got = found.itemDouble();
        if (got != expected) {
            throw new WrongAnswerException(
                    "group: " + what + " over " + size + " GPUs, expected " + expected + ", got " + got);
        }
    }

    private static HostTensor ones(int side) {
        float[] values = new float[side * side];
        Arrays.fill(values, 1);
        return HostTensor.of(values, side, side);
    }
}
