package dev.outpost.complex;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares transforms with their definition, and tests known properties of complex numbers. */
class FftTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void open() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void close() {
        machine.close();
    }

    private static double[] random(int count) {
        return new Random(count).doubles(count, -1, 1).toArray();
    }

    private static ComplexTensor pairs(double[] pairs, long... shape) {
        long[] sizes = java.util.Arrays.copyOf(shape, shape.length + 1);
        sizes[shape.length] = 2;
        return ComplexTensor.viewAsComplex(machine.tensor(pairs, sizes));
    }

    private static double[] definition(double[] pairs, int sign) {
        int size = pairs.length / 2;
        double[] result = new double[pairs.length];
        for (int k = 0; k < size; k++) {
            for (int j = 0; j < size; j++) {
                double angle = sign * 2 * Math.PI * ((long) j * k % size) / size;
                result[2 * k] += pairs[2 * j] * Math.cos(angle) - pairs[2 * j + 1] * Math.sin(angle);
                result[2 * k + 1] += pairs[2 * j] * Math.sin(angle) + pairs[2 * j + 1] * Math.cos(angle);
            }
        }
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 12, 64, 67, 100, 134, 256, 1000})
    void transformsAreTheirDefinition(int size) {
        double[] x = random(2 * size);
        ComplexTensor spectrum = Fft.fft(pairs(x, size));
        assertArrayEquals(definition(x, -1), spectrum.viewAsReal().toDoubleArray(), 1e-11);
        assertArrayEquals(x, Fft.ifft(spectrum).viewAsReal().toDoubleArray(), 1e-12);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 7, 8, 130})
    void realTransformsAreTheHalf(int size) {
        double[] x = random(size);
        Tensor real = machine.tensor(x);
        ComplexTensor whole = Fft.fft(ComplexTensor.of(real));
        ComplexTensor half = Fft.rfft(real, null, -1, FftNorm.BACKWARD);
        assertArrayEquals(
                whole.narrow(0, 0, size / 2 + 1).viewAsReal().toDoubleArray(),
                half.viewAsReal().toDoubleArray(),
                1e-12);
        assertArrayEquals(x, Fft.irfft(half, (long) size, -1, FftNorm.BACKWARD).toDoubleArray(), 1e-12);
        ComplexTensor inverse = Fft.ihfft(real, null, -1, FftNorm.ORTHO);
        assertArrayEquals(x, Fft.hfft(inverse, (long) size, -1, FftNorm.ORTHO).toDoubleArray(), 1e-12);
    }

    @Test
    void severalDimensionsAreOneAfterTheOther() {
        ComplexTensor x = pairs(random(2 * 3 * 4 * 5), 3, 4, 5);
        ComplexTensor oneByOne = Fft.fft(Fft.fft(x, null, 2, FftNorm.ORTHO), null, 1, FftNorm.ORTHO);
        ComplexTensor both = Fft.fftn(x, null, new int[] {1, 2}, FftNorm.ORTHO);
        assertArrayEquals(
                oneByOne.viewAsReal().toDoubleArray(), both.viewAsReal().toDoubleArray(), 1e-12);
        Tensor real = machine.tensor(random(60), 3, 4, 5);
        ComplexTensor half = Fft.rfftn(real, null, null, FftNorm.BACKWARD);
        assertEquals(List.of(3L, 4L, 3L), List.of(half.size(0), half.size(1), half.size(2)));
        Tensor back = Fft.irfftn(half, new long[] {3, 4, 5}, null, FftNorm.BACKWARD);
        assertArrayEquals(real.toDoubleArray(), back.toDoubleArray(), 1e-12);
    }

    @Test
    void sizesCutOrFill() {
        ComplexTensor x = pairs(random(8), 4);
        double[] filled = java.util.Arrays.copyOf(x.viewAsReal().toDoubleArray(), 12);
        assertArrayEquals(
                definition(filled, -1),
                Fft.fft(x, 6L, -1, FftNorm.BACKWARD).viewAsReal().toDoubleArray(),
                1e-12);
        double[] cut = java.util.Arrays.copyOf(filled, 4);
        assertArrayEquals(
                definition(cut, -1),
                Fft.fft(x, 2L, -1, FftNorm.BACKWARD).viewAsReal().toDoubleArray(),
                1e-12);
    }

    /** The energy of a spectrum is n times that of its signal. */
    @Test
    void gradientsFlowThroughTransforms() {
        double[] x = random(70);
        Tensor leaf = machine.tensor(x).requiresGrad(true);
        ComplexTensor spectrum = Fft.fft(ComplexTensor.of(leaf));
        spectrum.viewAsReal().square().sum().backward();
        double[] expected =
                java.util.Arrays.stream(x).map(each -> 2 * 70 * each).toArray();
        assertArrayEquals(expected, leaf.grad().toDoubleArray(), 1e-10);
    }

    @Test
    void framesComeBackAsTheirSignal() {
        Tensor signal = machine.tensor(random(2 * 200), 2, 200);
        Tensor window =
                machine.arange(32).to(DType.FLOAT64).mul(Math.PI / 32).sin().square();
        ComplexTensor spectra = Stft.stft(signal, 32, 8, window, true, true, true);
        assertEquals("complex128[2, 17, 26]", spectra.toString());
        Tensor back = Stft.istft(spectra, 32, 8, window, true, true, true, 200L);
        assertArrayEquals(signal.toDoubleArray(), back.toDoubleArray(), 1e-10);
    }

    @Test
    void frequenciesAndShifts() {
        assertArrayEquals(
                new float[] {0, 0.5f, 1, -1, -0.5f},
                Fft.fftfreq(machine, 5, 0.4).toFloatArray(),
                1e-6f);
        assertArrayEquals(
                new float[] {0, 0.5f, 1}, Fft.rfftfreq(machine, 4, 0.5).toFloatArray(), 1e-6f);
        Tensor shifted = Fft.fftshift(machine.arange(5));
        assertArrayEquals(new long[] {3, 4, 0, 1, 2}, shifted.toLongArray());
        assertArrayEquals(new long[] {0, 1, 2, 3, 4}, Fft.ifftshift(shifted).toLongArray());
    }

    @Test
    void numbersAreComplex() {
        ComplexTensor x = pairs(new double[] {1, 2, -3, 0.5}, 2);
        ComplexTensor y = pairs(new double[] {3, -4, 0, 2}, 2);
        assertArrayEquals(new double[] {11, 2, -1, -6}, x.mul(y).viewAsReal().toDoubleArray(), 1e-12);
        assertArrayEquals(
                x.viewAsReal().toDoubleArray(), x.mul(y).div(y).viewAsReal().toDoubleArray(), 1e-12);
        assertArrayEquals(
                x.viewAsReal().toDoubleArray(), x.log().exp().viewAsReal().toDoubleArray(), 1e-12);
        ComplexTensor root = x.sqrt();
        assertArrayEquals(
                x.viewAsReal().toDoubleArray(), root.mul(root).viewAsReal().toDoubleArray(), 1e-12);
        assertArrayEquals(new double[] {Math.sqrt(5), Math.sqrt(9.25)}, x.abs().toDoubleArray(), 1e-12);
        assertArrayEquals(new double[] {-2, 2.5}, x.sum().viewAsReal().toDoubleArray(), 1e-12);
        assertArrayEquals(new double[] {-4, -5.5}, x.prod(0).viewAsReal().toDoubleArray(), 1e-12);
        assertArrayEquals(new double[] {1, 1}, x.sgn().abs().toDoubleArray(), 1e-12);
        ComplexTensor square = pairs(new double[] {0, 1, 1, 0, 1, 0, 0, -1}, 2, 2);
        assertArrayEquals(
                new double[] {0, 0, 0, 0, 0, 0, 0, 0},
                square.matmul(square).viewAsReal().toDoubleArray(),
                1e-12);
    }

    @Test
    void partsOfDifferentDTypesAreRefused() {
        Tensor narrow = machine.zeros(2);
        OpException refusal =
                assertThrows(OpException.class, () -> ComplexTensor.complex(narrow, narrow.to(DType.FLOAT64)));
        assertEquals(
                "complex: both parts must be float32 or both float64, got float32[2] and float64[2]",
                refusal.getMessage());
    }
}
