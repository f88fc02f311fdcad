package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.BatchNorm;
import dev.outpost.nn.BatchNorm1d;
import dev.outpost.nn.BatchNorm2d;
import dev.outpost.nn.BatchNorm3d;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The expected numbers are those of PyTorch 2.15 for the same batches. */
class BatchNormTest {
    /** An input of sin(0), sin(1), … as [2, 3, 2, 2]. */
    private static final double[] NORMALIZED = {
        -0.861763014554049,
        0.836289434932931,
        0.973160293331667,
        -0.576988875357335,
        -0.664529706503034,
        -1.03947121465746,
        0.221036417248538,
        1.95808828556937,
        1.17774289220096,
        0.418449597951509,
        -0.839243361332999,
        -1.43901887903464,
        -1.94454420866382,
        -0.0138839088472206,
        1.13724025137735,
        0.450490027780475,
        0.20529127851689,
        -1.04405910120821,
        -0.653742259136249,
        1.01738630017016,
        1.07723028156879,
        0.976879968175088,
        -0.135288317303634,
        -1.23675218222507
    };

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private static Tensor images() {
        return machine.arange(0, 24, 1, DType.FLOAT64).sin().reshape(2, 3, 2, 2);
    }

    private static <N extends BatchNorm> N placed(N norm) {
        norm.to(DType.FLOAT64).to(machine);
        return norm;
    }

    @Test
    void runningStatisticsMoveByTheMomentumAndCountInEvaluation() {
        BatchNorm2d norm = placed(new BatchNorm2d(3));
        Closeness.assertClose(NORMALIZED, norm.forward(images()));
        norm.forward(images().mul(2).add(1));
        double[] mean = {0.223843692870972, -0.0155855361725399, 0.12725980389559};
        double[] variance = {0.947513846804011, 0.972731738417201, 1.13364869542625};
        Closeness.assertClose(mean, norm.runningMean().tensor());
        Closeness.assertClose(variance, norm.runningVariance().tensor());
        norm.eval();
        double[] x = images().toDoubleArray();
        double[] expected = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            int channel = i / 4 % 3;
            expected[i] = (x[i] - mean[channel]) / Math.sqrt(variance[channel] + 1e-5);
        }
        Closeness.assertClose(expected, norm.forward(images()));
    }

    @Test
    void withoutAMomentumAllBatchesWeighTheSame() {
        BatchNorm2d norm = placed(new BatchNorm2d(3, 1e-3, null, true, true));
        norm.forward(images());
        norm.forward(images().mul(2).add(1));
        norm.forward(images().mul(3));
        Map<String, HostTensor> state = norm.stateDict();
        Closeness.assertClose(
                new double[] {1.18742776692624, -0.463808295442804, 0.521331980889127}, state.get("running_mean"));
        Closeness.assertClose(
                new double[] {1.30965568384772, 1.54982608016382, 3.08236852786901}, state.get("running_var"));
        assertEquals(3L, state.get("num_batches_tracked").item());
    }

    @Test
    void withoutStatisticsEvaluationUsesTheBatch() {
        BatchNorm3d norm = placed(new BatchNorm3d(3, 1e-5, 0.1, false, false));
        norm.eval();
        Closeness.assertClose(NORMALIZED, norm.forward(images().reshape(2, 3, 1, 2, 2)));
        assertEquals(Map.of(), norm.stateDict());
        assertNull(norm.weight());
        assertNull(norm.runningMean());
        assertEquals(
                "BatchNorm3d(3, eps=1e-05, momentum=0.1, affine=False, bias=False, track_running_stats=False)",
                norm.toString());
    }

    @Test
    void linesAndSingleValuesGoThroughOneDimension() {
        BatchNorm1d norm = placed(new BatchNorm1d(3));
        Closeness.assertClose(NORMALIZED, norm.forward(images().reshape(2, 3, 4)));
        double scale = 1 / Math.sqrt(1 + 1e-5);
        Closeness.assertClose(
                new double[] {-scale, -scale, -scale, scale, scale, scale},
                norm.forward(machine.tensor(new double[] {1, 2, 3, 3, 4, 5}, 2, 3)));
    }

    @Test
    void halvesAreComputedInFloat32() {
        BatchNorm2d norm = new BatchNorm2d(1);
        norm.to(machine);
        Tensor large = machine.tensor(new float[] {1000, 3000}, 2, 1, 1, 1).float16();
        Tensor normal = norm.forward(large);
        assertEquals(DType.FLOAT16, normal.dtype());
        Closeness.assertClose(new double[] {-1, 1}, normal);
    }

    @Test
    void otherShapesAreRefused() {
        BatchNorm2d norm = placed(new BatchNorm2d(3));
        assertRefused(
                "batch_norm: expected [batch, 3, height, width], got [2, 3, 4]",
                () -> norm.forward(images().reshape(2, 3, 4)));
        assertRefused(
                "batch_norm: expected [batch, 2, depth, height, width], got [2, 3, 2, 2]",
                () -> placed(new BatchNorm3d(2)).forward(images()));
        assertRefused(
                "batch_norm: training needs more than one value per feature, got [1, 3, 1, 1]",
                () -> norm.forward(machine.zeros(DType.FLOAT64, 1, 3, 1, 1)));
        assertRefused("batch_norm: the momentum must be between 0 and 1, got 1.5", () -> new BatchNorm2d(3, 1e-5, 1.5));
    }

    private static void assertRefused(String message, Executable call) {
        assertEquals(message, assertThrows(OpException.class, call).getMessage());
    }
}
