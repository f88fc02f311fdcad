package dev.outpost.onnx.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.onnx.type.TransferPrecision;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the transferred bytes of activations, and their loss of precision. */
class ActivationCodecTest {
    private static final int ELEMENTS = 64 * 200;
    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "any");
    }

    @AfterAll
    static void stop() {
        machine.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "INT8", "INT4"})
    void anElementTakesNoMoreBitsThanAreSaid(TransferPrecision precision) {
        try (Tensor values = machine.tensor(HostTensor.of(numbers(1, 0)));
                Activation sent = Activation.encode(values, new ActivationCodec(precision))) {
            assertEquals(precision.bits(), 8.0 * sent.bytes() / ELEMENTS);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"INT8", "INT4"})
    void noElementIsFurtherOffThanIsSaid(TransferPrecision precision) {
        for (float[] values : List.of(
                numbers(1, 0),
                numbers(1e-6f, 0),
                numbers(1e30f, 0),
                numbers(1, 50),
                numbers(1, -3),
                new float[ELEMENTS])) {
            float[] back = there(values, precision);
            for (int group = 0; group < ELEMENTS; group += ActivationCodec.GROUP) {
                float least = Float.POSITIVE_INFINITY;
                float most = Float.NEGATIVE_INFINITY;
                for (int index = group; index < group + ActivationCodec.GROUP; index++) {
                    least = Math.min(least, values[index]);
                    most = Math.max(most, values[index]);
                }
                double bound = precision.groupError() * ((double) most - least)
                        + Math.max(Math.abs(most), Math.abs(least)) * 1.1 / 64000
                        + 1e-30;
                for (int index = group; index < group + ActivationCodec.GROUP; index++) {
                    double error = Math.abs((double) back[index] - values[index]);
                    assertTrue(error <= bound, precision + ": " + values[index] + " became " + back[index]);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyShapeComesBack(TransferPrecision precision) {
        for (long[] sizes :
                List.of(new long[] {}, new long[] {1}, new long[] {3, 7, 5}, new long[] {0, 4}, new long[] {64})) {
            try (Tensor values = machine.randn(sizes)) {
                ActivationCodec codec = new ActivationCodec(precision);
                try (Activation sent = Activation.encode(values, codec);
                        Tensor back = sent.decode(codec)) {
                    assertEquals(values.type(), back.type());
                    double max = values.numel() == 0
                            ? 0
                            : back.sub(values).abs().max().itemDouble();
                    assertTrue(max < 0.3, precision + " " + max);
                }
            }
        }
    }

    private static float[] there(float[] values, TransferPrecision precision) {
        ActivationCodec codec = new ActivationCodec(precision);
        try (Tensor given = machine.tensor(HostTensor.of(values));
                Activation sent = Activation.encode(given, codec);
                Tensor back = sent.decode(codec)) {
            return back.toFloatArray();
        }
    }

    private static float[] numbers(float scale, float offset) {
        Random random = new Random(3);
        float[] numbers = new float[ELEMENTS];
        for (int index = 0; index < ELEMENTS; index++) {
            numbers[index] = (float) random.nextGaussian() * scale + offset * scale;
        }
        return numbers;
    }
}
