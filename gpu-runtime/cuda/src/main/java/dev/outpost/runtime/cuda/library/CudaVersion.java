package dev.outpost.runtime.cuda.library;

/** A version of CUDA or of one of its libraries. */
public record CudaVersion(int major, int minor) {

    /** The driver's way to write 12.6: 12060. */
    public static CudaVersion ofDriver(int number) {
        return new CudaVersion(number / 1000, number % 1000 / 10);
    }

    /** The way of cuBLAS to write 12.9 with any patch: 120903. */
    public static CudaVersion ofCublas(long number) {
        return new CudaVersion((int) (number / 10_000), (int) (number % 10_000 / 100));
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
