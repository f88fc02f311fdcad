package dev.outpost.models;

import dev.outpost.models.architecture.Architectures;
import dev.outpost.models.architecture.Decoder;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.architecture.PagedKvCache;
import dev.outpost.models.architecture.Quantization;
import dev.outpost.models.architecture.QuantizedLinear;
import dev.outpost.models.architecture.WeightLoader;
import dev.outpost.source.Source;
import dev.outpost.source.SourceTensor;
import dev.outpost.types.DType;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a model, from its configuration and the headers of its files.
 *
 * @param modelType the architecture
 * @param isKnown true if {@link CausalLM} can load it
 * @param elements number of stored elements by dtype
 * @param parameters number of weights; a stored element may hold several
 * @param quantization the quantization of the weights of layers, or null if they are floats
 * @param weightBytes bytes of the weights on a machine
 * @param savedBytes bytes that the quantization saves
 * @param cacheBytesPerToken bytes of the cache for each token of a text; 0 if unknown
 * @param positions the maximum number of tokens of a text; 0 if unknown
 */
public record ModelInfo(
        String modelType,
        boolean isKnown,
        Map<DType, Long> elements,
        long parameters,
        @Nullable Quantization quantization,
        long weightBytes,
        long savedBytes,
        long cacheBytesPerToken,
        int positions) {
    /** The number of tokens of text that {@link #neededBytes} reserves. */
    public static final int TEXT = 4096;

    /** The memory of kernels, as a fraction of the weights. */
    private static final double OVERHEAD = 0.1;

    /** Reads the configuration and the headers, but no weights. */
    public static ModelInfo of(Source source) {
        return of(source, null);
    }

    /**
     * Reads a model like {@link #of(Source)}, assuming that weights that are stored as floats are quantized when they are
     * loaded.
     *
     * @param quantize the quantization, or null to keep the weights as stored
     */
    public static ModelInfo of(Source source, @Nullable Quantization quantize) {
        ModelConfig config = ModelConfig.parse(source.uri(), source.text("config.json"));
        Map<DType, Long> elements = new EnumMap<>(DType.class);
        source.tensors()
                .values()
                .forEach(tensor -> elements.merge(tensor.dtype(), tensor.shape().elements(), Long::sum));
        if (!Architectures.isDecoder(config)) {
            Weights weights = new Weights();
            source.tensors().values().forEach(weights::addStored);
            return new ModelInfo(config.modelType(), false, elements, weights.parameters, null, weights.bytes, 0, 0, 0);
        }
        ModelConfig loaded = CausalLM.quantized(config, quantize);
        Decoder decoder = Architectures.decoder(loaded);
        Weights weights = weights(source, decoder);
        List<PagedKvCache.HeadShape> shapes = decoder.cacheShapes();
        long features =
                shapes.stream().mapToLong(PagedKvCache.HeadShape::elements).sum();
        return new ModelInfo(
                config.modelType(),
                true,
                elements,
                weights.parameters,
                loaded.quantization().orElse(null),
                weights.bytes,
                weights.saved,
                features * unit(elements),
                decoder.mostPositions());
    }

    private static int unit(Map<DType, Long> elements) {
        return elements.keySet().stream()
                .filter(DType::isFloating)
                .mapToInt(DType::bytes)
                .min()
                .orElse(4);
    }

    /** Counts the weights of a model, tensor by tensor. */
    private static final class Weights {
        private long parameters;
        private long bytes;
        private long saved;

        void addStored(SourceTensor tensor) {
            parameters += tensor.shape().elements();
            bytes += tensor.shape().elements() * tensor.dtype().bytes();
        }

        void add(QuantizedLinear layer, Map<String, SourceTensor> parts, DType dtype) {
            long own = layer.bytes(parts, dtype);
            parameters += layer.weights();
            bytes += own;
            saved += layer.plainBytes(dtype) - own;
        }
    }

    private static Weights weights(Source source, Decoder decoder) {
        SequencedMap<String, QuantizedLinear> layers = WeightLoader.quantizedLayers(decoder);
        Map<String, Map<String, SourceTensor>> parts = new HashMap<>();
        Weights weights = new Weights();
        source.tensors().forEach((stored, tensor) -> {
            String own = decoder.nameOf(stored);
            int dot = own == null ? -1 : own.lastIndexOf('.');
            boolean isPart = dot >= 0
                    && layers.containsKey(own.substring(0, dot))
                    && QuantizedLinear.PARTS.contains(own.substring(dot + 1));
            if (isPart) {
                parts.computeIfAbsent(own.substring(0, dot), layer -> new HashMap<>())
                        .put(own.substring(dot + 1), tensor);
            } else {
                weights.addStored(tensor);
            }
        });
        if (!layers.isEmpty()) {
            DType dtype = WeightLoader.storedDType(source);
            layers.forEach((name, layer) -> weights.add(layer, parts.getOrDefault(name, Map.of()), dtype));
        }
        return weights;
    }

    /** Returns the number of bytes of the weights, the cache of a text, and the memory of kernels. */
    public long neededBytes() {
        long text = cacheBytesPerToken * Math.min(TEXT, Math.max(positions, 1));
        return (long) (weightBytes * (1 + OVERHEAD)) + text;
    }
}
