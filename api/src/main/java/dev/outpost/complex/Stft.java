package dev.outpost.complex;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.ops.PadMode;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** Short-time Fourier transforms: transforms of successive frames of a signal (torch.stft, torch.istft). */
public final class Stft {
    private Stft() {}

    /**
     * Computes the spectra of frames.
     *
     * @param signal {@code [time]} or {@code [batch, time]}, real
     * @param size the size of a frame, in samples
     * @param hop the distance from one frame to the next, in samples
     * @param window the factors of each frame's samples, no longer than a frame, or null for ones
     * @param isCentered true to extend the signal by reflection at both ends, so that the centers of frames are at multiples of the hop
     * @param isNormalized true to divide the spectra by the square root of the size
     * @param isOneSided true to return only the size / 2 + 1 results that determine the others
     * @return {@code [batch, frequencies, frames]}
     */
    public static ComplexTensor stft(
            Tensor signal,
            int size,
            int hop,
            @Nullable Tensor window,
            boolean isCentered,
            boolean isNormalized,
            boolean isOneSided) {
        if (signal.dim() < 1 || signal.dim() > 2 || !signal.dtype().isFloating()) {
            throw new OpException("stft", "a signal or a batch of them is needed, got " + signal.type());
        }
        if (size < 1 || hop < 1 || signal.size(-1) + (isCentered ? 2 * (size / 2) : 0) < size) {
            throw new OpException(
                    "stft", "a frame and a hop must fit, got " + size + " and " + hop + " for " + signal.shape());
        }
        return ComplexTensor.of(() -> {
            Tensor batch = signal.dim() == 1 ? signal.unsqueeze(0) : signal;
            Tensor padded = isCentered
                    ? batch.unsqueeze(1)
                            .pad(PadMode.REFLECT, size / 2, size / 2)
                            .squeeze(1)
                    : batch;
            Tensor frames = padded.unfold(1, size, hop);
            Tensor weighed = window == null ? frames : frames.mul(centered(window, size));
            FftNorm norm = isNormalized ? FftNorm.ORTHO : FftNorm.BACKWARD;
            ComplexTensor spectra =
                    isOneSided ? Fft.rfft(weighed, null, -1, norm) : Fft.fft(ComplexTensor.of(weighed), null, -1, norm);
            ComplexTensor ordered = spectra.transpose(1, 2);
            return signal.dim() == 1 ? ordered.squeeze(0) : ordered;
        });
    }

    /** Pads a window with zeros on both sides to the size of a frame. */
    private static Tensor centered(Tensor window, int size) {
        long missing = size - window.numel();
        if (window.dim() != 1 || missing < 0) {
            throw new OpException("stft", "the window must fit into a frame, got " + window.shape() + " for " + size);
        }
        return missing == 0 ? window : window.pad(0, missing / 2, missing - missing / 2);
    }

    /**
     * Reconstructs a signal from spectra. Overlapping frames are added and divided by the sum of their squared windows.
     *
     * @param spectra {@code [batch, frequencies, frames]}, or without the batch dimension, in the form that {@link
     * #stft} returns
     * @param length the length of the signal in samples, or null for all samples that the frames cover
     */
    public static Tensor istft(
            ComplexTensor spectra,
            int size,
            int hop,
            @Nullable Tensor window,
            boolean isCentered,
            boolean isNormalized,
            boolean isOneSided,
            @Nullable Long length) {
        if (spectra.dim() < 2 || spectra.dim() > 3 || size < 1 || hop < 1) {
            throw new OpException("istft", "spectra of frames are needed, got " + spectra);
        }
        return Scope.tidy(() -> {
            ComplexTensor batch = spectra.dim() == 2 ? spectra.unsqueeze(0) : spectra;
            FftNorm norm = isNormalized ? FftNorm.ORTHO : FftNorm.BACKWARD;
            ComplexTensor byFrame = batch.transpose(1, 2);
            Tensor frames = isOneSided
                    ? Fft.irfft(byFrame, (long) size, -1, norm)
                    : Fft.ifft(byFrame, null, -1, norm).real();
            Tensor weights = window == null ? frames.newOnes(size) : centered(window, size);
            Tensor sums = overlapped(frames.mul(weights), hop);
            Tensor weightSums = overlapped(weights.square().expand(1, frames.size(1), size), hop);
            long start = isCentered ? size / 2 : 0;
            long end = sums.size(1) - start;
            long kept = length == null ? end - start : length;
            Tensor signal = sums.div(weightSums);
            Tensor cut = signal.narrow(1, start, Math.min(kept, signal.size(1) - start));
            Tensor whole = cut.size(1) < kept ? cut.pad(0, 0, kept - cut.size(1)) : cut;
            return spectra.dim() == 2 ? whole.squeeze(0) : whole;
        });
    }

    private static Tensor overlapped(Tensor frames, int hop) {
        long count = frames.size(1);
        long size = frames.size(2);
        long[] positions = new long[Math.toIntExact(count * size)];
        for (int index = 0; index < positions.length; index++) {
            positions[index] = index / size * hop + index % size;
        }
        Tensor indices = frames.machine().tensor(positions);
        return frames.newZeros(frames.size(0), (count - 1) * hop + size)
                .indexAdd(1, indices, frames.reshape(frames.size(0), count * size));
    }
}
