package dev.outpost.models.architecture;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Init;
import dev.outpost.nn.Module;
import dev.outpost.nn.Parameter;
import dev.outpost.source.Source;
import dev.outpost.source.SourceTensor;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A layer {@code x · weightᵀ + bias} whose weight is quantized. It stays a float weight if the files exempt the layer. */
public final class QuantizedLinear extends Module implements AdaptableLayer {
    /** The names of the parts of a weight in files. */
    public static final Set<String> PARTS = Set.of("weight", "qweight", "qzeros", "scales", "g_idx");

    private final Quantization quantization;
    private final long inputs;
    private final long outputs;
    private final boolean isTurned;
    private final @Nullable Parameter bias;
    private @Nullable QuantizedWeight weight;
    private @Nullable Tensor plain;

    public QuantizedLinear(Quantization quantization, long inputs, long outputs, boolean hasBias) {
        this(quantization, inputs, outputs, hasBias, false);
    }

    /** @param isTurned true if files store a float weight as {@code [inputs, outputs]} */
    QuantizedLinear(Quantization quantization, long inputs, long outputs, boolean hasBias, boolean isTurned) {
        this.isTurned = isTurned;
        this.quantization = quantization;
        this.inputs = inputs;
        this.outputs = outputs;
        bias = hasBias ? parameter("bias", Init.zeros(), outputs) : null;
    }

    /** True if the layer has codes after it is loaded from files with these parts. */
    private boolean isQuantized(Map<String, SourceTensor> parts) {
        boolean hasRoom = quantization.groupOf(inputs) * quantization.bits() % Byte.SIZE == 0
                && quantization.groupOf(inputs) >= Byte.SIZE;
        return quantization.isStored() ? parts.containsKey("qweight") : hasRoom;
    }

    /** Returns the number of bytes of the weight on a machine for these stored parts. */
    public long bytes(Map<String, SourceTensor> parts, DType dtype) {
        return isQuantized(parts) ? quantization.bytes(inputs, outputs) : plainBytes(dtype);
    }

    public long plainBytes(DType dtype) {
        return inputs * outputs * dtype.bytes();
    }

    /** Returns the number of weights. */
    public long weights() {
        return inputs * outputs;
    }

    /**
     * Loads the weight. The bias is an ordinary parameter. Does not wait.
     *
     * @param parts the stored tensors of the weight
     */
    void load(String name, Map<String, SourceTensor> parts, DType dtype) {
        if (!isQuantized(parts)) {
            plain = turned(floats(name, parts).to(dtype).load());
            return;
        }
        Source source = parts.values().iterator().next().source();
        weight = source.machine().unscoped(() -> switch (quantization.layout()) {
            case NONE -> quantized(name, parts);
            case GPTQ -> gptq(name, parts, 1);
            case GPTQ_V2 -> gptq(name, parts, 0);
            case AWQ -> awq(name, parts);
        });
    }

    private QuantizedWeight quantized(String name, Map<String, SourceTensor> parts) {
        try (Tensor floats = turned(floats(name, parts).load())) {
            return QuantizedWeight.of(floats, quantization.bits(), quantization.groupOf(inputs));
        }
    }

    private SourceTensor floats(String name, Map<String, SourceTensor> parts) {
        return part(name, parts, "weight", isTurned ? Shape.of(inputs, outputs) : Shape.of(outputs, inputs));
    }

    /** Returns the weight as {@code [outputs, inputs]}. */
    private Tensor turned(Tensor stored) {
        if (!isTurned) {
            return stored;
        }
        try (stored) {
            return stored.t();
        }
    }

    private QuantizedWeight gptq(String name, Map<String, SourceTensor> parts, int added) {
        int bits = quantization.bits();
        long groups = inputs / quantization.groupOf(inputs);
        SourceTensor groupOf = parts.get("g_idx");
        try (Tensor codes = part(name, parts, "qweight", Shape.of(inputs * bits / 32, outputs))
                        .load();
                Tensor zeros = part(name, parts, "qzeros", Shape.of(groups, outputs * bits / 32))
                        .load();
                Tensor scales =
                        part(name, parts, "scales", Shape.of(groups, outputs)).load();
                Tensor order = ordered(groupOf)) {
            return QuantizedWeight.ofGptq(bits, quantization.groupOf(inputs), codes, zeros, scales, order, added);
        }
    }

    /** Returns the groups of the inputs if they are not consecutive. Reads a small tensor to find out. */
    private @Nullable Tensor ordered(@Nullable SourceTensor groupOf) {
        if (groupOf == null) {
            return null;
        }
        Tensor groups = groupOf.load();
        int[] values = groups.toIntArray();
        for (int input = 0; input < values.length; input++) {
            if (values[input] != input / quantization.groupOf(inputs)) {
                return groups;
            }
        }
        groups.close();
        return null;
    }

    private QuantizedWeight awq(String name, Map<String, SourceTensor> parts) {
        long groups = inputs / quantization.groupOf(inputs);
        try (Tensor codes = part(name, parts, "qweight", Shape.of(inputs, outputs / 8))
                        .load();
                Tensor zeros = part(name, parts, "qzeros", Shape.of(groups, outputs / 8))
                        .load();
                Tensor scales =
                        part(name, parts, "scales", Shape.of(groups, outputs)).load()) {
            return QuantizedWeight.ofAwq(quantization.groupOf(inputs), codes, zeros, scales);
        }
    }

    private static SourceTensor part(String name, Map<String, SourceTensor> parts, String part, Shape shape) {
        SourceTensor found = Optional.ofNullable(parts.get(part))
                .orElseThrow(() -> new OutpostException(FaultKind.USER, "load: " + name + "." + part + " is missing"));
        if (!found.shape().equals(shape)) {
            throw new OutpostException(
                    FaultKind.USER,
                    "load: " + name + "." + part + " has the shape " + found.shape() + ", and the model needs "
                            + shape);
        }
        return found;
    }

    @Override
    public Tensor forward(Tensor x) {
        return Scope.tidy(() -> {
            if (plain != null) {
                return Functional.linear(x, plain, bias == null ? null : bias.tensor());
            }
            Tensor product = weight.multiply(x);
            return bias == null ? product : product.add(bias.tensor());
        });
    }

    @Override
    public long inFeatures() {
        return inputs;
    }

    @Override
    public long outFeatures() {
        return outputs;
    }

    @Override
    public boolean isTransposed() {
        return false;
    }

    @Override
    public void addToWeight(Tensor change) {
        if (plain == null) {
            throw new OutpostException(
                    FaultKind.USER,
                    "merge: the weight has " + quantization.bits()
                            + " bits, which cannot take a change; keep the adapter apart, or load the model unquantized");
        }
        plain.add_(change);
    }

    /** Returns the dequantized weight, {@code [outputs, inputs]}, float32; the weight itself if it is not quantized. */
    Tensor dequantized() {
        return weight == null ? plain.to(DType.FLOAT32) : weight.dequantized();
    }

    /** Releases the weight. */
    void close() {
        if (weight != null) {
            weight.close();
        }
        if (plain != null) {
            plain.close();
        }
    }
}
