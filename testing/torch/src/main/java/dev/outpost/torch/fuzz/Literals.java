package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.Random;

/** Draws elements: mostly small numbers with exact arithmetic, sometimes any numbers, sometimes special ones. */
final class Literals {
    private static final double[] ODD = {
        0.0,
        -0.0,
        1.0,
        -1.0,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        0.5,
        1e-3,
        -1e-3,
        300,
        -300
    };

    private enum Mood {
        SMALL,
        ANY,
        ODD
    }

    private final Random random;
    private final Mood mood;

    Literals(Random random) {
        this.random = random;
        int chance = random.nextInt(20);
        this.mood = chance < 12 ? Mood.SMALL : chance < 17 ? Mood.ANY : Mood.ODD;
    }

    HostTensor of(DType dtype, Shape shape) {
        return switch (dtype.category()) {
            case BOOL -> truths(shape);
            case INTEGRAL -> integers(dtype, shape);
            case FLOATING -> reals(dtype, shape);
        };
    }

    private static HostTensor shaped(HostTensor elements, Shape shape) {
        return HostTensor.ofBytes(elements.dtype(), shape, elements.bytes());
    }

    private HostTensor truths(Shape shape) {
        boolean[] values = new boolean[Math.toIntExact(shape.elements())];
        for (int index = 0; index < values.length; index++) {
            values[index] = random.nextBoolean();
        }
        return shaped(HostTensor.of(values), shape);
    }

    private HostTensor integers(DType dtype, Shape shape) {
        long[] values = new long[Math.toIntExact(shape.elements())];
        for (int index = 0; index < values.length; index++) {
            values[index] = integer(dtype);
        }
        return shaped(HostTensor.of(values).to(dtype), shape);
    }

    private long integer(DType dtype) {
        int low = dtype == DType.UINT8 ? 0 : -5;
        boolean isOdd = mood == Mood.ODD && random.nextInt(3) == 0;
        return isOdd ? extreme(dtype) : low + random.nextInt(11);
    }

    private long extreme(DType dtype) {
        int bits = 8 * dtype.bytes();
        long largest = dtype == DType.UINT8 ? 255 : (1L << bits - 1) - 1;
        long smallest = dtype == DType.UINT8 ? 0 : -largest - 1;
        return random.nextBoolean() ? largest : smallest;
    }

    private HostTensor reals(DType dtype, Shape shape) {
        double[] values = new double[Math.toIntExact(shape.elements())];
        for (int index = 0; index < values.length; index++) {
            values[index] = real();
        }
        return shaped(HostTensor.of(values).to(dtype), shape);
    }

    private double real() {
        return switch (mood) {
            case SMALL -> (random.nextInt(17) - 8) / 4.0;
            case ANY -> 2 * random.nextGaussian();
            case ODD -> random.nextBoolean() ? ODD[random.nextInt(ODD.length)] : random.nextGaussian();
        };
    }

    /** Draws integers from {@code low} to below {@code high}. */
    HostTensor indices(DType dtype, Shape shape, long low, long high) {
        long[] values = new long[Math.toIntExact(shape.elements())];
        for (int index = 0; index < values.length; index++) {
            values[index] = high > low ? random.nextLong(low, high) : 0;
        }
        return shaped(HostTensor.of(values).to(dtype), shape);
    }

    /** Draws real numbers between two bounds. */
    HostTensor between(DType dtype, Shape shape, double low, double high) {
        double[] values = new double[Math.toIntExact(shape.elements())];
        for (int index = 0; index < values.length; index++) {
            values[index] = low + (high - low) * random.nextDouble();
        }
        return shaped(HostTensor.of(values).to(dtype), shape);
    }

    /** Draws a number for a call. */
    Number number() {
        int chance = random.nextInt(10);
        if (chance < 5) {
            return (long) random.nextInt(9) - 4;
        }
        if (mood == Mood.ODD && chance == 9) {
            return ODD[random.nextInt(ODD.length)];
        }
        return (random.nextInt(17) - 8) / 4.0;
    }
}
