package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.examples.ConvolutionalDigits;
import dev.outpost.examples.DigitsByScan;
import dev.outpost.examples.DigitsTraining;
import dev.outpost.examples.LinearRegression;
import dev.outpost.examples.TransformerBlock;
import dev.outpost.examples.tuning.FineTuneSmallModel;
import dev.outpost.nn.Parameter;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Shape;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Tests the models of the examples on groups of 1 to 4 machines, with randomly placed data. */
@ResourceLock(Resources.SYSTEM_OUT)
class GroupExamplesTest {
    private static final Pattern LOSS = Pattern.compile("loss ([0-9.]+)");

    private static Sharding draw(Shape shape, int size, Random random) {
        List<Integer> workers = IntStream.range(0, size).boxed().toList();
        int dim = random.nextInt(shape.rank() + 1);
        return dim == shape.rank() ? new Sharding(workers, Placement.REPLICATE) : Sharding.even(workers, shape, dim);
    }

    private static float[] onGroup(int size, long seed, Function<RemoteMachine, float[]> program) {
        Random random = new Random(seed);
        try (var group = MachineGroup.of("mock", "A100", size)) {
            return group.placing(type -> draw(type.shape(), size, random), () -> program.apply(group.machine()));
        }
    }

    /** The results equal those of one machine within a bound, and two runs have the same bits. */
    private static void assertAsOnOneMachine(Function<RemoteMachine, float[]> program, float bound) {
        float[] alone;
        try (var machine = RemoteMachine.of("mock", "A100")) {
            alone = program.apply(machine);
        }
        for (int size = 1; size <= 4; size++) {
            float[] placed = onGroup(size, size, program);
            assertArrayEquals(alone, placed, bound, size + " machines");
            if (size == 3) {
                assertArrayEquals(placed, onGroup(size, size, program), "two runs");
            }
        }
    }

    @Test
    void linearRegression() {
        assertAsOnOneMachine(
                machine -> LinearRegression.fit(machine, 10)
                        .weight()
                        .tensor()
                        .toHost()
                        .toFloatArray(),
                1e-5f);
    }

    @Test
    void convolutionalDigits() {
        assertAsOnOneMachine(
                machine -> ConvolutionalDigits.train(machine, 2).toHost().toFloatArray(), 1e-4f);
    }

    @Test
    void transformerBlock() {
        assertAsOnOneMachine(GroupExamplesTest::block, 1e-4f);
    }

    /** The model's output and the gradients of its parameters. */
    private static float[] block(RemoteMachine machine) {
        machine.manualSeed(2);
        TransformerBlock block = new TransformerBlock(16, 4);
        block.to(machine);
        float[] values = new float[3 * 5 * 16];
        Random random = new Random(6);
        for (int index = 0; index < values.length; index++) {
            values[index] = (float) random.nextGaussian();
        }
        Tensor output = block.forward(machine.tensor(HostTensor.of(values, 3, 5, 16)));
        output.pow(2).mean().backward();
        List<Float> all = new ArrayList<>();
        addAll(all, output);
        for (Parameter parameter : block.parameters()) {
            addAll(all, parameter.tensor().grad());
        }
        return array(all);
    }

    private static float[] array(List<Float> all) {
        float[] flat = new float[all.size()];
        for (int index = 0; index < flat.length; index++) {
            flat[index] = all.get(index);
        }
        return flat;
    }

    private static void addAll(List<Float> all, Tensor tensor) {
        for (float value : tensor.toHost().toFloatArray()) {
            all.add(value);
        }
    }

    @Test
    @Tag("full")
    void digits() {
        assertAsOnOneMachine(
                machine -> {
                    List<Float> losses = new ArrayList<>();
                    new DigitsTraining(machine, 1).run(1, epoch -> losses.add((float) epoch.loss()));
                    return new float[] {losses.getFirst()};
                },
                1e-3f);
    }

    /** The losses are printed with four decimals. */
    @Test
    @Tag("full")
    void digitsByScan() {
        assertAsOnOneMachine(machine -> losses(() -> DigitsByScan.train(machine, 1)), 1e-3f);
    }

    @Test
    @Tag("full")
    void fineTuning(@TempDir Path folder) {
        MachineOptions options = new MachineOptions().option("sources", "file:" + folder);
        float[] alone;
        try (var machine = RemoteMachine.of("mock", "A100", options)) {
            alone = losses(() -> FineTuneSmallModel.run(machine, "file:" + folder + "/alone", 5, 5));
        }
        try (var group = MachineGroup.of("mock", "A100", 2, options)) {
            float[] together =
                    losses(() -> FineTuneSmallModel.run(group.machine(), "file:" + folder + "/together", 5, 5));
            assertArrayEquals(alone, together, 1e-3f);
        }
    }

    private static float[] losses(Runnable example) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            example.run();
        } finally {
            System.setOut(before);
        }
        List<Float> losses = LOSS.matcher(printed.toString(StandardCharsets.UTF_8))
                .results()
                .map(found -> Float.parseFloat(found.group(1)))
                .toList();
        assertFalse(losses.isEmpty(), printed::toString);
        return array(losses);
    }
}
