package dev.outpost.models.pipeline;

import dev.outpost.models.architecture.Decoder;
import dev.outpost.models.architecture.PagedKvCache;
import dev.outpost.models.pipeline.LayerDivision.Costs;
import dev.outpost.source.Source;
import dev.outpost.source.SourceTensor;
import dev.outpost.types.DType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The memory of the parts of a decoder: weights, caches and intermediate results. Pure functions. */
final class DecoderCosts {
    /** The number of vectors of the model's width that a stage holds for each token while it computes a part of a prompt. */
    private static final int VALUES_ON_THE_WAY = 16;

    private static final int PART_TOKENS = 256;

    private DecoderCosts() {}

    /** @param textTokens number of tokens that the caches of a layer hold */
    static Costs of(Source source, Decoder decoder, DType dtype, long textTokens) {
        int layers = decoder.cacheShapes().size();
        long width = (long) decoder.features() * dtype.bytes() * PART_TOKENS * VALUES_ON_THE_WAY;
        long first = width;
        long last = (long) decoder.vocabulary() * Float.BYTES;
        long[] each = new long[layers];
        for (int layer = 0; layer < layers; layer++) {
            PagedKvCache.HeadShape shape = decoder.cacheShapes().get(layer);
            each[layer] = textTokens * shape.groups() * (shape.features() + shape.valueFeatures()) * dtype.bytes();
        }
        for (Map.Entry<String, SourceTensor> stored : source.tensors().entrySet()) {
            String name = decoder.nameOf(stored.getKey());
            long bytes = name == null ? 0 : bytes(stored.getValue(), dtype);
            for (int layer = 0; layer < layers && name != null; layer++) {
                each[layer] += isOnly(decoder, name, layer) ? bytes : 0;
            }
            first += name != null && isBelow(decoder.embeddingNames(), name) ? bytes : 0;
            last += name != null && isBelow(decoder.headNames(), name) ? bytes : 0;
        }
        return new Costs(Arrays.stream(each).boxed().toList(), first, last);
    }

    private static boolean isOnly(Decoder decoder, String name, int layer) {
        return name.startsWith(decoder.layersName() + "." + layer + ".");
    }

    private static boolean isBelow(List<String> modules, String name) {
        return modules.stream().anyMatch(module -> name.startsWith(module + "."));
    }

    private static long bytes(SourceTensor tensor, DType dtype) {
        DType held = tensor.dtype().isFloating() ? dtype : tensor.dtype();
        return tensor.shape().elements() * held.bytes();
    }
}
