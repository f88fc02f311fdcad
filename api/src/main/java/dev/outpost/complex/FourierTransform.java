package dev.outpost.complex;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;

/**
 * The discrete Fourier transform along the last dimension, without a scale factor. It multiplies by small matrices of roots of unity
 * and combines the parts by the Cooley-Tukey algorithm. Sizes with a large prime factor use Bluestein's convolution.
 */
final class FourierTransform {
    /** The largest size that one matrix product computes. */
    private static final int DIRECT = 64;

    private final RemoteMachine machine;
    private final DType dtype;
    /** 1 for the inverse, -1 for the forward transform. */
    private final int sign;

    private FourierTransform(ComplexTensor like, boolean isInverse) {
        machine = like.viewAsReal().machine();
        dtype = like.componentDType();
        sign = isInverse ? 1 : -1;
    }

    static ComplexTensor of(ComplexTensor input, boolean isInverse) {
        return new FourierTransform(input, isInverse).transformed(input);
    }

    private ComplexTensor transformed(ComplexTensor x) {
        int size = Math.toIntExact(x.size(-1));
        int factor = factor(size);
        if (size <= DIRECT) {
            return direct(x, size);
        }
        return factor == 1 ? bluestein(x, size) : split(x, factor, size / factor);
    }

    /** Returns the largest divisor of the size whose transform one matrix product can compute. */
    private static int factor(int size) {
        int factor = Math.min(DIRECT, size);
        while (size % factor != 0) {
            factor--;
        }
        return factor;
    }

    private ComplexTensor direct(ComplexTensor x, int size) {
        if (size <= 1) {
            return x;
        }
        ComplexTensor row = x.dim() == 1 ? x.unsqueeze(0) : x;
        ComplexTensor product = row.matmul(roots(size, size, size));
        return x.dim() == 1 ? product.squeeze(0) : product;
    }

    /** Returns the roots of unity with the exponents row · column / size. */
    private ComplexTensor roots(int rows, int columns, long size) {
        double[] angles = new double[rows * columns];
        for (int index = 0; index < angles.length; index++) {
            long turn = (long) (index / columns) * (index % columns) % size;
            angles[index] = sign * 2 * Math.PI * turn / size;
        }
        return ofAngles(angles, rows, columns);
    }

    /** Returns the points on the unit circle at these angles. The client computes them in double, so that angles keep their precision. */
    private ComplexTensor ofAngles(double[] angles, long... shape) {
        double[] pairs = new double[2 * angles.length];
        for (int index = 0; index < angles.length; index++) {
            pairs[2 * index] = Math.cos(angles[index]);
            pairs[2 * index + 1] = Math.sin(angles[index]);
        }
        return ComplexTensor.viewAsComplex(uploaded(pairs, shape));
    }

    private Tensor uploaded(double[] pairs, long... shape) {
        long[] sizes = java.util.Arrays.copyOf(shape, shape.length + 1);
        sizes[shape.length] = 2;
        if (dtype == DType.FLOAT64) {
            return machine.tensor(pairs, sizes);
        }
        float[] narrow = new float[pairs.length];
        for (int index = 0; index < narrow.length; index++) {
            narrow[index] = (float) pairs[index];
        }
        return machine.tensor(narrow, sizes);
    }

    /** Transforms every {@code inner}th element, multiplies by twiddle factors, and then transforms across the parts. */
    private ComplexTensor split(ComplexTensor x, int outer, int inner) {
        long size = (long) outer * inner;
        ComplexTensor columns =
                x.onPairs(pairs -> pairs.unflatten(-2, outer, inner)).transpose(-2, -1);
        ComplexTensor turned = direct(columns, outer).mul(roots(inner, outer, size));
        ComplexTensor whole = transformed(turned.transpose(-2, -1));
        return whole.transpose(-2, -1).onPairs(pairs -> pairs.flatten(-3, -2));
    }

    /** Computes the transform as a convolution with a chirp, by transforms whose size is a power of two. */
    private ComplexTensor bluestein(ComplexTensor x, int size) {
        int padded = Integer.highestOneBit(2 * size - 1) * 2;
        double[] chirp = new double[size];
        for (int index = 0; index < size; index++) {
            chirp[index] = sign * Math.PI * ((long) index * index % (2L * size)) / size;
        }
        ComplexTensor turns = ofAngles(chirp, size);
        double[] kernel = new double[2 * padded];
        for (int index = 0; index < size; index++) {
            for (int place : new int[] {index, (padded - index) % padded}) {
                kernel[2 * place] = Math.cos(chirp[index]);
                kernel[2 * place + 1] = -Math.sin(chirp[index]);
            }
        }
        ComplexTensor spread = x.mul(turns).onPairs(pairs -> pairs.pad(0, 0, 0, 0, padded - size));
        ComplexTensor spectrum =
                of(spread, false).mul(of(ComplexTensor.viewAsComplex(uploaded(kernel, padded)), false));
        return of(spectrum, true).div(padded).narrow(-1, 0, size).mul(turns);
    }
}
