package dev.outpost.models;

import dev.outpost.Source;
import dev.outpost.SourceTensor;
import dev.outpost.types.DType;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a model is like, by its configuration and the headers of its files.
 *
 * @param modelType the architecture
 * @param isKnown whether {@link CausalLM} can load it
 * @param elements how many elements are stored in each dtype
 * @param weightBytes what they take
 * @param cacheBytesPerToken what the cache of a text takes for each of its tokens; 0 where that is not known
 * @param positions how long a text can be; 0 where that is not known
 */
public record ModelInfo(
        String modelType,
        boolean isKnown,
        Map<DType, Long> elements,
        long weightBytes,
        long cacheBytesPerToken,
        int positions) {
    /** How many tokens of text {@link #neededBytes} has room for. */
    public static final int TEXT = 4096;

    /** What kernels need besides, as a part of the weights. */
    private static final double OVERHEAD = 0.1;

    /** Reads configuration and headers, no weights. */
    public static ModelInfo of(Source source) {
        ModelConfig config = ModelConfig.parse(source.uri(), source.text("config.json"));
        Map<DType, Long> elements = new EnumMap<>(DType.class);
        long bytes = 0;
        for (SourceTensor tensor : source.tensors().values()) {
            elements.merge(tensor.dtype(), tensor.shape().elements(), Long::sum);
            bytes += tensor.shape().elements() * tensor.dtype().bytes();
        }
        boolean isKnown = Architectures.isDecoder(config);
        if (!isKnown) {
            return new ModelInfo(config.modelType(), false, elements, bytes, 0, 0);
        }
        Decoder decoder = Architectures.decoder(config);
        List<PagePool.HeadShape> shapes = decoder.cacheShapes();
        long features = shapes.stream()
                .mapToLong(shape -> shape.groups() * (shape.features() + shape.valueFeatures()))
                .sum();
        int unit = elements.keySet().stream()
                .filter(DType::isFloating)
                .mapToInt(DType::bytes)
                .min()
                .orElse(4);
        return new ModelInfo(config.modelType(), true, elements, bytes, features * unit, decoder.mostPositions());
    }

    public long parameters() {
        return elements.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Weights, the cache of a text, and some room for what is computed. */
    public long neededBytes() {
        long text = cacheBytesPerToken * Math.min(TEXT, Math.max(positions, 1));
        return (long) (weightBytes * (1 + OVERHEAD)) + text;
    }
}
