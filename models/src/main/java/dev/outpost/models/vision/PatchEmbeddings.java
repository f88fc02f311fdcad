package dev.outpost.models.vision;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.nn.Functional;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;

/** Cuts images into patches for models of the ViT kind. */
final class PatchEmbeddings {
    private PatchEmbeddings() {}

    /**
     * Returns a vector for the whole image, followed by one for each patch, row by row.
     *
     * @param pixels {@code [batch, channels, size, size]}
     * @param weight {@code [features, channels, patch, patch]}
     * @param whole the vector of the whole image, with {@code features} elements
     * @return {@code [batch, 1 + patches, features]}
     */
    static Tensor of(Tensor pixels, int size, Tensor weight, Tensor bias, Tensor whole) {
        if (pixels.shape().rank() != 4
                || pixels.size(1) != weight.size(1)
                || pixels.size(2) != size
                || pixels.size(3) != size) {
            throw new OutpostException(
                    FaultKind.USER,
                    "images: expected [batch, " + weight.size(1) + ", " + size + ", " + size + "], got "
                            + pixels.shape());
        }
        return Scope.tidy(() -> {
            long[] stride = {weight.size(2), weight.size(3)};
            Tensor mapped = Functional.conv2d(
                    pixels.to(weight.dtype()), weight, bias, stride, new long[] {0, 0}, new long[] {1, 1}, 1);
            Tensor patches = mapped.flatten(2).transpose(1, 2);
            Tensor first = whole.reshape(1, 1, -1).expand(pixels.size(0), 1, weight.size(0));
            return Tensors.cat(List.of(first, patches), 1);
        });
    }
}
