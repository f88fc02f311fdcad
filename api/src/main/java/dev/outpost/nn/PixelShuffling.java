package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import java.util.Arrays;

/** Converts between squares of pixels and channels. */
final class PixelShuffling {
    private PixelShuffling() {}

    static Tensor shuffle(Tensor input, int factor) {
        requireImage("pixel_shuffle", input, factor, input.dim() < 3 ? 1 : input.size(-3), (long) factor * factor);
        Tensor image = batched(input);
        long channels = image.size(1) / factor / factor;
        long height = image.size(2);
        long width = image.size(3);
        Tensor squares = image.reshape(image.size(0), channels, factor, factor, height, width);
        Tensor result =
                squares.permute(0, 1, 4, 2, 5, 3).reshape(image.size(0), channels, height * factor, width * factor);
        return unbatched(result, input);
    }

    static Tensor unshuffle(Tensor input, int factor) {
        requireImage("pixel_unshuffle", input, factor, input.dim() < 3 ? 1 : input.size(-1), factor);
        requireImage("pixel_unshuffle", input, factor, input.dim() < 3 ? 1 : input.size(-2), factor);
        Tensor image = batched(input);
        long channels = image.size(1);
        long height = image.size(2) / factor;
        long width = image.size(3) / factor;
        Tensor squares = image.reshape(image.size(0), channels, height, factor, width, factor);
        Tensor result =
                squares.permute(0, 1, 3, 5, 2, 4).reshape(image.size(0), channels * factor * factor, height, width);
        return unbatched(result, input);
    }

    private static void requireImage(String op, Tensor input, int factor, long size, long divisor) {
        if (input.dim() < 3 || factor < 1 || size % divisor != 0) {
            throw new OpException(op, "the sizes do not fit the factor, got " + input.shape() + " and " + factor);
        }
    }

    /** Merges all dimensions before channels, height and width into one. */
    private static Tensor batched(Tensor input) {
        long batch = 1;
        for (int dim = 0; dim < input.dim() - 3; dim++) {
            batch *= input.size(dim);
        }
        return input.reshape(batch, input.size(-3), input.size(-2), input.size(-1));
    }

    private static Tensor unbatched(Tensor result, Tensor input) {
        long[] sizes = Arrays.copyOf(input.shape().toArray(), input.dim());
        for (int dim = 1; dim <= 3; dim++) {
            sizes[sizes.length - dim] = result.size(-dim);
        }
        return result.reshape(sizes);
    }
}
