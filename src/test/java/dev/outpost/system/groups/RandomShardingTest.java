package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares random programs over randomly placed tensors with one machine. */
class RandomShardingTest {
    private static final int OPS = 12;
    private static final float TOLERANCE = 1e-3f;

    @Test
    void somePlacementsGiveWhatOneMachineGives() {
        compare(0, 120, 3);
        compare(1_000, 40, 2);
    }

    @Test
    @Tag("full")
    void thousandsOfPlacementsGiveWhatOneMachineGives() {
        for (int size = 2; size <= 4; size++) {
            compare(10_000L * size, 1_500, size);
        }
    }

    @Test
    void twoRunsHaveTheSameBits() {
        List<float[]> first = run(77, 30, 3);
        List<float[]> second = run(77, 30, 3);
        for (int program = 0; program < first.size(); program++) {
            assertArrayEquals(first.get(program), second.get(program), "program " + program);
        }
    }

    private static List<float[]> run(long seed, int programs, int size) {
        List<float[]> results = new ArrayList<>();
        try (var group = MachineGroup.of("mock", "A100", size, new MachineOptions().option("engine", "reference"))) {
            for (int program = 0; program < programs; program++) {
                results.add(new Program(seed + program).run(group.machine(), group));
            }
        }
        return results;
    }

    private static void compare(long seed, int programs, int size) {
        MachineOptions options = new MachineOptions().option("engine", "reference");
        try (var alone = RemoteMachine.of("mock", "A100", options);
                var group = MachineGroup.of("mock", "A100", size, options)) {
            for (int program = 0; program < programs; program++) {
                float[] expected = new Program(seed + program).run(alone, null);
                float[] actual = new Program(seed + program).run(group.machine(), group);
                assertClose(expected, actual, "program " + (seed + program) + " on " + size);
            }
        }
    }

    private static void assertClose(float[] expected, float[] actual, String program) {
        assertEquals(expected.length, actual.length, program);
        for (int index = 0; index < expected.length; index++) {
            float bound = TOLERANCE * Math.max(1, Math.abs(expected[index]));
            assertEquals(expected[index], actual[index], bound, program + " at " + index);
        }
    }

    /** The same ops for the same seed, in every placement of its tensors. */
    private static final class Program {
        private static final int ROWS = 5;
        private static final int COLUMNS = 6;

        private final Random random;
        private final Random places;
        private final List<Tensor> pool = new ArrayList<>();

        Program(long seed) {
            random = new Random(seed);
            places = new Random(seed + 1);
        }

        float[] run(RemoteMachine machine, MachineGroup group) {
            try (Scope scope = machine.scope()) {
                for (int input = 0; input < 3; input++) {
                    pool.add(input(machine, group));
                }
                for (int op = 0; op < OPS; op++) {
                    pool.add(next(machine));
                }
                Tensor all = Tensors.cat(pool.stream()
                        .skip(3)
                        .map(tensor -> tensor.reshape(tensor.shape().elements()))
                        .toList());
                return all.toHost().toFloatArray();
            }
        }

        /** All are of one shape, so that any op can follow any other. */
        private Tensor input(RemoteMachine machine, MachineGroup group) {
            float[] values = new float[ROWS * COLUMNS];
            for (int index = 0; index < values.length; index++) {
                values[index] = (float) random.nextGaussian();
            }
            HostTensor host = HostTensor.of(values, ROWS, COLUMNS);
            int dim = places.nextInt(3);
            if (group == null) {
                return machine.tensor(host);
            }
            return dim == 2 ? group.replicated(host, workers(group)) : group.sharded(host, dim, workers(group));
        }

        private List<Integer> workers(MachineGroup group) {
            List<Integer> all = IntStream.range(0, group.size()).boxed().toList();
            return places.nextInt(5) == 0 ? all.subList(0, 1 + places.nextInt(all.size())) : all;
        }

        private Tensor any() {
            return pool.get(random.nextInt(pool.size()));
        }

        private Tensor next(RemoteMachine machine) {
            Tensor x = any();
            Tensor y = any();
            List<Function<Tensor, Tensor>> ops = List.of(
                    t -> t.add(y),
                    t -> t.sub(y.mul(0.5)),
                    t -> t.mul(y).tanh(),
                    Tensor::relu,
                    Tensor::tanh,
                    t -> t.softmax(random.nextInt(2)),
                    t -> t.sub(t.mean(random.nextInt(2), true)),
                    t -> t.matmul(y.t()).matmul(y).mul(0.1).tanh(),
                    t -> t.t().matmul(y).matmul(t.t()).t().mul(0.1).tanh(),
                    t -> t.t().reshape(ROWS, COLUMNS),
                    t -> t.reshape(COLUMNS, ROWS).t().add(y),
                    t -> t.reshape(ROWS, 2, 3).transpose(1, 2).reshape(ROWS, COLUMNS),
                    t -> t.reshape(30)
                            .narrow(0, 3, 20)
                            .sum()
                            .expand(ROWS, COLUMNS)
                            .mul(0.1)
                            .tanh(),
                    t -> Tensors.cat(List.of(t.narrow(0, 2, 3), y.narrow(0, 0, 2)), 0),
                    t -> Tensors.cat(List.of(t.narrow(1, 1, 2), y.narrow(1, 0, 4)), 1),
                    t -> t.cumsum(random.nextInt(2)).tanh(),
                    t -> t.amax(new int[] {random.nextInt(2)}, true).add(y),
                    t -> t.sum(random.nextInt(2), true).mul(y).tanh(),
                    t -> t.indexSelect(0, machine.tensor(new long[] {4, 0, 2, 2, 1})),
                    t -> t.indexSelect(0, y.argmax(1, false).remainder(ROWS)),
                    t -> written(t, y));
            return ops.get(random.nextInt(ops.size())).apply(x);
        }

        private static Tensor written(Tensor x, Tensor y) {
            Tensor copy = x.mul(1);
            copy.narrow(0, 1, 3).copy_(y.narrow(0, 2, 3));
            copy.narrow(1, 4, 2).mul_(0.5);
            return copy;
        }
    }
}
