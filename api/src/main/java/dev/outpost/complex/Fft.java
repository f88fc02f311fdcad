package dev.outpost.complex;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Discrete Fourier transforms (torch.fft). A given size truncates the input or pads it with zeros; null keeps the
 * input's size. Gradients flow through the transforms. Every engine computes the transforms as products with matrices
 * of roots of unity.
 */
public final class Fft {
    private static final int[] LAST_TWO = {-2, -1};

    private Fft() {}

    /** Same as {@code fft(input, null, -1, BACKWARD)}. */
    public static ComplexTensor fft(ComplexTensor input) {
        return fft(input, null, -1, FftNorm.BACKWARD);
    }

    /** Returns the transform along one dimension: Σ x[j] · exp(-2πi · j · k / n). */
    public static ComplexTensor fft(ComplexTensor input, @Nullable Long n, int dim, FftNorm norm) {
        return ComplexTensor.of(() -> transformed("fft", input, n, dim, norm, false));
    }

    /** Same as {@code ifft(input, null, -1, BACKWARD)}. */
    public static ComplexTensor ifft(ComplexTensor input) {
        return ifft(input, null, -1, FftNorm.BACKWARD);
    }

    /** Returns the inverse of {@link #fft}. */
    public static ComplexTensor ifft(ComplexTensor input, @Nullable Long n, int dim, FftNorm norm) {
        return ComplexTensor.of(() -> transformed("ifft", input, n, dim, norm, true));
    }

    /** Returns the transform of real numbers. Returns only the n / 2 + 1 results that determine the others. */
    public static ComplexTensor rfft(Tensor input, @Nullable Long n, int dim, FftNorm norm) {
        return ComplexTensor.of(() -> half(transformed("rfft", ComplexTensor.of(input), n, dim, norm, false), dim));
    }

    /**
     * Returns the inverse of {@link #rfft}. Returns n real numbers; without n, the even number that the input's size
     * implies.
     */
    public static Tensor irfft(ComplexTensor input, @Nullable Long n, int dim, FftNorm norm) {
        return Scope.tidy(() -> {
            long size = n == null ? 2 * (input.size(dim) - 1) : n;
            requireSize("irfft", size);
            ComplexTensor whole = hermitian(sized(input, size / 2 + 1, dim), size, dim);
            return transformed("irfft", whole, size, dim, norm, true).real();
        });
    }

    /**
     * Returns the transform of a signal whose spectrum is real: the forward transform of an input like that of {@link
     * #irfft}.
     */
    public static Tensor hfft(ComplexTensor input, @Nullable Long n, int dim, FftNorm norm) {
        return Scope.tidy(() -> {
            long size = n == null ? 2 * (input.size(dim) - 1) : n;
            requireSize("hfft", size);
            ComplexTensor whole = hermitian(sized(input, size / 2 + 1, dim), size, dim);
            return transformed("hfft", whole, size, dim, norm, false).real();
        });
    }

    /** Returns the inverse of {@link #hfft}. */
    public static ComplexTensor ihfft(Tensor input, @Nullable Long n, int dim, FftNorm norm) {
        return ComplexTensor.of(() -> half(transformed("ihfft", ComplexTensor.of(input), n, dim, norm, true), dim));
    }

    /** Computes {@code fftn} over the last two dimensions. */
    public static ComplexTensor fft2(ComplexTensor input) {
        return fftn(input, null, LAST_TWO, FftNorm.BACKWARD);
    }

    /** Computes {@code ifftn} over the last two dimensions. */
    public static ComplexTensor ifft2(ComplexTensor input) {
        return ifftn(input, null, LAST_TWO, FftNorm.BACKWARD);
    }

    /**
     * Returns the transform along several dimensions.
     *
     * @param sizes one size for each dimension, or null
     * @param dims the dimensions; null means the last ones if sizes are given, else all
     */
    public static ComplexTensor fftn(
            ComplexTensor input, long @Nullable [] sizes, int @Nullable [] dims, FftNorm norm) {
        return ComplexTensor.of(() -> each("fftn", input, sizes, dims(input.dim(), sizes, dims), norm, false));
    }

    /** Returns the inverse of {@link #fftn}. */
    public static ComplexTensor ifftn(
            ComplexTensor input, long @Nullable [] sizes, int @Nullable [] dims, FftNorm norm) {
        return ComplexTensor.of(() -> each("ifftn", input, sizes, dims(input.dim(), sizes, dims), norm, true));
    }

    /** Computes {@link #rfft} along the last dimension, then {@link #fft} along the others. */
    public static ComplexTensor rfftn(Tensor input, long @Nullable [] sizes, int @Nullable [] dims, FftNorm norm) {
        return ComplexTensor.of(() -> {
            int[] all = dims(input.dim(), sizes, dims);
            int last = all.length - 1;
            ComplexTensor first = rfft(input, last(sizes), all[last], norm);
            return each("rfftn", first, head(sizes), Arrays.copyOf(all, last), norm, false);
        });
    }

    /** Returns the inverse of {@link #rfftn}. */
    public static Tensor irfftn(ComplexTensor input, long @Nullable [] sizes, int @Nullable [] dims, FftNorm norm) {
        return Scope.tidy(() -> {
            int[] all = dims(input.dim(), sizes, dims);
            int last = all.length - 1;
            ComplexTensor first = each("irfftn", input, head(sizes), Arrays.copyOf(all, last), norm, true);
            return irfft(first, last(sizes), all[last], norm);
        });
    }

    /** Computes {@link #fft} along all dimensions except the last, then {@link #hfft} along the last. */
    public static Tensor hfftn(ComplexTensor input, long @Nullable [] sizes, int @Nullable [] dims, FftNorm norm) {
        return Scope.tidy(() -> {
            int[] all = dims(input.dim(), sizes, dims);
            int last = all.length - 1;
            ComplexTensor first = each("hfftn", input, head(sizes), Arrays.copyOf(all, last), norm, false);
            return hfft(first, last(sizes), all[last], norm);
        });
    }

    /** Returns the inverse of {@link #hfftn}. */
    public static ComplexTensor ihfftn(Tensor input, long @Nullable [] sizes, int @Nullable [] dims, FftNorm norm) {
        return ComplexTensor.of(() -> {
            int[] all = dims(input.dim(), sizes, dims);
            int last = all.length - 1;
            ComplexTensor first = ihfft(input, last(sizes), all[last], norm);
            return each("ihfftn", first, head(sizes), Arrays.copyOf(all, last), norm, true);
        });
    }

    /** Computes {@code hfftn} over the last two dimensions. */
    public static Tensor hfft2(ComplexTensor input) {
        return hfftn(input, null, LAST_TWO, FftNorm.BACKWARD);
    }

    /** Computes {@code ihfftn} over the last two dimensions. */
    public static ComplexTensor ihfft2(Tensor input) {
        return ihfftn(input, null, LAST_TWO, FftNorm.BACKWARD);
    }

    private static @Nullable Long last(long @Nullable [] sizes) {
        return sizes == null ? null : (Long) sizes[sizes.length - 1];
    }

    private static long @Nullable [] head(long @Nullable [] sizes) {
        return sizes == null ? null : Arrays.copyOf(sizes, sizes.length - 1);
    }

    private static int[] dims(int rank, long @Nullable [] sizes, int @Nullable [] dims) {
        if (dims != null) {
            if (sizes != null && sizes.length != dims.length || dims.length == 0) {
                throw new OpException(
                        "fftn",
                        "there must be a size for each of " + Arrays.toString(dims) + ", got "
                                + Arrays.toString(sizes));
            }
            return dims;
        }
        int count = sizes == null ? rank : sizes.length;
        int[] last = new int[count];
        Arrays.setAll(last, index -> index - count);
        return last;
    }

    private static ComplexTensor each(
            String op, ComplexTensor input, long @Nullable [] sizes, int[] dims, FftNorm norm, boolean isInverse) {
        ComplexTensor result = input;
        for (int index = dims.length - 1; index >= 0; index--) {
            Long size = sizes == null || sizes[index] == -1 ? null : (Long) sizes[index];
            result = transformed(op, result, size, dims[index], norm, isInverse);
        }
        return result;
    }

    private static ComplexTensor transformed(
            String op, ComplexTensor input, @Nullable Long n, int dim, FftNorm norm, boolean isInverse) {
        if (input.dim() == 0) {
            throw new OpException(op, "a dimension is needed, got a scalar");
        }
        ComplexTensor fitted = n == null ? input : sized(input, n, dim);
        long size = fitted.size(dim);
        requireSize(op, size);
        ComplexTensor spectrum =
                FourierTransform.of(fitted.movedim(dim, -1), isInverse).movedim(-1, dim);
        double factor = norm.factor(size, isInverse);
        return factor == 1 ? spectrum : spectrum.mul(factor);
    }

    private static void requireSize(String op, long size) {
        if (size < 1) {
            throw new OpException(op, "there must be something to transform, got a size of " + size);
        }
    }

    private static ComplexTensor sized(ComplexTensor input, long size, int dim) {
        long given = input.size(dim);
        if (size <= given) {
            return size < 1 || size == given ? input : input.narrow(dim, 0, size);
        }
        ComplexTensor last = input.movedim(dim, -1).onPairs(pairs -> pairs.pad(0, 0, 0, 0, size - given));
        return last.movedim(-1, dim);
    }

    private static ComplexTensor half(ComplexTensor spectrum, int dim) {
        return spectrum.narrow(dim, 0, spectrum.size(dim) / 2 + 1);
    }

    /**
     * Restores the whole spectrum: the other half is the conjugate of this half in reverse order, and the ends are
     * real.
     */
    private static ComplexTensor hermitian(ComplexTensor half, long size, int dim) {
        ComplexTensor last = half.movedim(dim, -1);
        long mirrored = size - half.size(dim);
        Tensor isEnd = half.viewAsReal()
                .machine()
                .arange(half.size(dim))
                .mul(2)
                .remainder(size)
                .eq(0);
        ComplexTensor known = ComplexTensor.complex(last.real(), last.imag().maskedFill(isEnd, 0));
        if (mirrored == 0) {
            return known.movedim(-1, dim);
        }
        ComplexTensor others = known.narrow(-1, 1, mirrored).flip(-1).conj();
        Tensor joined = Tensors.cat(List.of(known.viewAsReal(), others.viewAsReal()), -2);
        return ComplexTensor.viewAsComplex(joined).movedim(-1, dim);
    }

    // ---- frequencies

    /** Returns the frequencies of {@link #fft}'s results, in cycles per unit of {@code spacing}. */
    public static Tensor fftfreq(RemoteMachine machine, long n, double spacing) {
        return Scope.tidy(() -> {
            Tensor indices = machine.arange(n);
            Tensor signed = indices.sub(n).where(indices.ge((n + 1) / 2), indices);
            return signed.float32().div(n * spacing);
        });
    }

    /** Returns the frequencies of {@link #rfft}'s results. */
    public static Tensor rfftfreq(RemoteMachine machine, long n, double spacing) {
        return Scope.tidy(() -> machine.arange(n / 2 + 1).float32().div(n * spacing));
    }

    /** Moves the frequency 0 to the middle, along all dimensions or the given ones. */
    public static Tensor fftshift(Tensor input, int... dims) {
        return Scope.tidy(() -> shifted(input, dims, false));
    }

    /** Returns the inverse of {@link #fftshift}. */
    public static Tensor ifftshift(Tensor input, int... dims) {
        return Scope.tidy(() -> shifted(input, dims, true));
    }

    private static Tensor shifted(Tensor input, int[] given, boolean isInverse) {
        int[] dims = given;
        if (dims.length == 0) {
            dims = new int[input.dim()];
            for (int dim = 0; dim < dims.length; dim++) {
                dims[dim] = dim;
            }
        }
        long[] shifts = Arrays.stream(dims)
                .mapToLong(dim -> isInverse ? (input.size(dim) + 1) / 2 : input.size(dim) / 2)
                .toArray();
        return input.roll(shifts, dims);
    }
}
