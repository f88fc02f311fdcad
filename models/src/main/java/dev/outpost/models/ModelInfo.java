package dev.outpost.models;

import dev.outpost.models.architecture.Architectures;
import dev.outpost.models.architecture.PagedKvCache;
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
 * The properties of a model, by its configuration and the headers of its files.
 *
 * @param modelType the architecture
 * @param isKnown whether {@link CausalLM} can load it
 * @param elements how many elements are stored in each dtype
 * @param parameters how many weights there are; several may be in an element that is stored
 * @param quantization of the weights of its layers, or null where they are floats
 * @param weightBytes what the weights take on a machine
 * @param savedBytes how much more they would take without quantization
 * @param cacheBytesPerToken what the cache of a text takes for each of its tokens; 0 where that is not known
 * @param positions how long a text can be; 0 where that is not known
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
    /** How many tokens of text {@link #neededBytes} has room for. */
    public static final int TEXT = 4096;

    /** The memory that kernels need besides, as a part of the weights. */
    private static final double OVERHEAD = 0.1;

    /** Reads configuration and headers, no weights. */
    public static ModelInfo of(Source source) {
        return of(source, null);
    }

    /**
     * As {@link #of(Source)}, as if weights that are stored as floats were quantized when they are loaded.
     *
     * @param quantize or null to take weights as they are stored
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

    /** Counts while names are gone through. */
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

    /** Weights, the cache of a text, and some room for what is computed. */
    public long neededBytes() {
        long text = cacheBytesPerToken * Math.min(TEXT, Math.max(positions, 1));
        return (long) (weightBytes * (1 + OVERHEAD)) + text;
    }
}
