package dev.outpost.models.architecture;

import dev.outpost.nn.Module;
import dev.outpost.source.Source;
import dev.outpost.source.SourceTensor;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Loads the weights of a module from a source. */
public final class WeightLoader {
    /** The maximum number of bytes of float weights that wait for quantization. */
    private static final long MAX_AHEAD = 512L << 20;

    private static final Predicate<String> WHOLE = name -> true;

    private WeightLoader() {}

    /** Returns the dtype of the first matrix, because norms are sometimes stored wider. */
    public static DType storedDType(Source source) {
        return source.tensors().values().stream()
                .filter(tensor -> tensor.dtype().isFloating() && tensor.shape().rank() > 1)
                .map(SourceTensor::dtype)
                .findFirst()
                .orElseThrow(() -> new OutpostException(
                        FaultKind.USER,
                        source.uri() + ": there are no weights in .safetensors or pytorch_model*.bin files"
                                + skipped(source)));
    }

    /** Returns the skipped files and tensors of a source, as the end of an error message; empty if nothing was skipped. */
    private static String skipped(Source source) {
        Map<String, String> skipped = new LinkedHashMap<>(source.skippedFiles());
        skipped.putAll(source.skippedTensors());
        return skipped.isEmpty()
                ? ""
                : "; left out were "
                        + skipped.entrySet().stream()
                                .limit(5)
                                .map(each -> each.getKey() + " (" + each.getValue() + ")")
                                .collect(Collectors.joining(", "))
                        + (skipped.size() > 5 ? " and " + (skipped.size() - 5) + " more" : "");
    }

    /**
     * Loads all parameters. Fails if one is missing or has another shape.
     *
     * @param nameOf returns the module's name of a stored tensor, or null if the module does not use it
     * @param isSpare returns true if a stored tensor that the module lacks may be ignored
     */
    public static void load(
            Module module, Source source, DType dtype, UnaryOperator<String> nameOf, Predicate<String> isSpare) {
        loadPart(module, source, dtype, nameOf, isSpare, WHOLE);
    }

    /**
     * Loads a part of the module like {@link #load}. The rest of the module is not created on the machine, and must not be called.
     *
     * @param isPart returns true for names of modules and parameters of the part
     */
    public static void loadPart(
            Module module,
            Source source,
            DType dtype,
            UnaryOperator<String> nameOf,
            Predicate<String> isSpare,
            Predicate<String> isPart) {
        SequencedMap<String, SourceTensor> fitting = new LinkedHashMap<>();
        Map<String, Map<String, SourceTensor>> quantized = new LinkedHashMap<>();
        SequencedMap<String, QuantizedLinear> layers = quantizedLayers(module);
        Set<String> known = module.namedParameters().keySet();
        if (layers.isEmpty()) {
            requireFloats(source);
        }
        source.tensors().forEach((stored, tensor) -> {
            String own = nameOf.apply(stored);
            int dot = own == null ? -1 : own.lastIndexOf('.');
            if (dot >= 0 && layers.containsKey(own.substring(0, dot)) && !known.contains(own)) {
                quantized
                        .computeIfAbsent(own.substring(0, dot), layer -> new HashMap<>())
                        .put(own.substring(dot + 1), tensor);
            } else if (own != null && (known.contains(own) || !isSpare.test(own))) {
                fitting.put(own, tensor);
            }
        });
        module.requiresGrad(false).eval().to(dtype);
        if (isPart != WHOLE) {
            requireSameNames(module, fitting);
            fitting.keySet().removeIf(isPart.negate());
            layers.keySet().removeIf(isPart.negate());
        }
        requireSupported(module, source, nameOf, isPart);
        module.loadStateDict(fitting, isPart == WHOLE);
        loadQuantized(source, layers, quantized, dtype);
    }

    /** Fails if a name is only in the module or only in the source, even if only a part is loaded. */
    private static void requireSameNames(Module module, Map<String, SourceTensor> stored) {
        Set<String> missing = new TreeSet<>(module.namedParameters().keySet());
        missing.addAll(module.namedBuffers().keySet());
        Set<String> unexpected = new TreeSet<>(stored.keySet());
        unexpected.removeAll(missing);
        missing.removeAll(stored.keySet());
        if (!missing.isEmpty() || !unexpected.isEmpty()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "load: the files and the model differ: missing " + missing + ", unexpected " + unexpected);
        }
    }

    /** Fails if a layer needs a stored tensor of an unsupported dtype. */
    private static void requireSupported(
            Module module, Source source, UnaryOperator<String> nameOf, Predicate<String> isPart) {
        Set<String> known = module.namedParameters().keySet();
        source.skippedTensors().forEach((stored, reason) -> {
            String own = nameOf.apply(stored);
            if (own != null && known.contains(own) && isPart.test(own)) {
                throw new OutpostException(
                        FaultKind.USER, "load: " + source.uri() + ": " + stored + " cannot be loaded: " + reason);
            }
        });
    }

    private static void requireFloats(Source source) {
        source.tensors().keySet().stream()
                .filter(name -> name.endsWith(".qweight"))
                .findFirst()
                .ifPresent(name -> {
                    throw new OutpostException(
                            FaultKind.USER,
                            source.uri() + ": its weights are stored quantized (" + name
                                    + "), and those of this architecture are not known; known are decoders and t5");
                });
    }

    /** Returns the layers of a module whose weights may be quantized, by name. */
    public static SequencedMap<String, QuantizedLinear> quantizedLayers(Module module) {
        SequencedMap<String, QuantizedLinear> layers = new LinkedHashMap<>();
        module.namedModules().forEach((name, each) -> {
            if (each instanceof QuantizedLinear layer) {
                layers.put(name, layer);
            }
        });
        return layers;
    }

    /** Loads quantized layers. Waits from time to time, so that the machine needs the float memory of only a few layers. */
    private static void loadQuantized(
            Source source,
            SequencedMap<String, QuantizedLinear> layers,
            Map<String, Map<String, SourceTensor>> parts,
            DType dtype) {
        boolean isWhole = false;
        try {
            long ahead = 0;
            for (Map.Entry<String, QuantizedLinear> layer : layers.entrySet()) {
                Map<String, SourceTensor> own = parts.getOrDefault(layer.getKey(), Map.of());
                own.keySet().stream()
                        .filter(part -> !QuantizedLinear.PARTS.contains(part))
                        .findFirst()
                        .ifPresent(unknown -> {
                            throw new OutpostException(
                                    FaultKind.USER, "load: the model has no use for " + layer.getKey() + "." + unknown);
                        });
                if (own.isEmpty()) {
                    throw new OutpostException(FaultKind.USER, "load: " + layer.getKey() + ".weight is missing");
                }
                layer.getValue().load(layer.getKey(), own, dtype);
                ahead += layer.getValue().plainBytes(DType.FLOAT32);
                if (ahead > MAX_AHEAD) {
                    source.machine().synchronize();
                    ahead = 0;
                }
            }
            source.machine().synchronize();
            isWhole = true;
        } finally {
            if (!isWhole) {
                close(layers.values());
            }
        }
    }

    private static void close(Collection<QuantizedLinear> layers) {
        layers.forEach(QuantizedLinear::close);
    }

    /** Releases the weights. */
    public static void close(Module module) {
        module.parameters().forEach(parameter -> parameter.tensor().close());
        close(quantizedLayers(module).values());
    }

    /** Releases the weights of a part. */
    public static void closePart(Module module, Predicate<String> isPart) {
        module.namedParameters().forEach((name, parameter) -> {
            if (isPart.test(name)) {
                parameter.tensor().close();
            }
        });
        quantizedLayers(module).forEach((name, layer) -> {
            if (isPart.test(name)) {
                layer.close();
            }
        });
    }
}
