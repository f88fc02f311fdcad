package dev.outpost.torch;

import dev.outpost.types.DType;

/** The tolerances for differences from PyTorch: the defaults of torch.testing.assert_close. */
public record ParityTolerance(double relative, double absolute) {
    public static ParityTolerance of(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> new ParityTolerance(1.3e-6, 1e-5);
            case FLOAT64 -> new ParityTolerance(1e-7, 1e-7);
            case FLOAT16 -> new ParityTolerance(1e-3, 1e-5);
            case BFLOAT16 -> new ParityTolerance(1.6e-2, 1e-5);
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> new ParityTolerance(0, 0);
        };
    }

    public double allowed(double expected) {
        return absolute + relative * Math.abs(expected);
    }

    /** Returns true if the values are equal, both NaN, or close; an infinity is close only to itself. */
    public boolean accepts(double actual, double expected) {
        if (actual == expected || Double.isNaN(actual) && Double.isNaN(expected)) {
            return true;
        }
        return Double.isFinite(expected) && Math.abs(actual - expected) <= allowed(expected);
    }
}
