package dev.outpost.runtime.cuda.library;

/** A version of CUDA or of one of its libraries. */
public record CudaVersion(int major, int minor) {

    /** Decodes the driver's format: 12060 for 12.6. */
    public static CudaVersion ofDriver(int number) {
        return new CudaVersion(number / 1000, number % 1000 / 10);
    }

    /** Decodes the format of cuBLAS: 120903 for 12.9 with patch 3. The result omits the patch. */
    public static CudaVersion ofCublas(long number) {
        return new CudaVersion((int) (number / 10_000), (int) (number % 10_000 / 100));
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
