package dev.outpost.models.architecture;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Optional;

/**
 * A format that stores weights as small integers. It applies to the layers of attention and feed-forward nets, but not to embeddings, norms
 * and the head. {@code weight = (code − zero) · scale}. Each group of neighbouring inputs of an output has a scale and a zero.
 *
 * @param layout the layout of the codes in files
 * @param bits bits of a code: 4 or 8
 * @param group number of inputs that share a scale
 */
public record Quantization(Layout layout, int bits, int group) {
    /** A layout of codes in files. */
    public enum Layout {
        /** Files hold floats; the machine quantizes them after reading. */
        NONE,
        /** GPTQ (Frantar et al., 2023): codes packed along inputs, zeros stored less one. */
        GPTQ,
        /** GPTQ with zeros stored as they are. */
        GPTQ_V2,
        /** AWQ (Lin et al., 2024), version GEMM: codes packed along outputs, in a permuted order. */
        AWQ
    }

    public Quantization {
        if (bits != 4 && bits != 8) {
            throw new OutpostException(FaultKind.USER, "quantize: weights have 4 or 8 bits, got " + bits);
        }
        if (group < 1) {
            throw new OutpostException(FaultKind.USER, "quantize: expected a group of at least 1 input, got " + group);
        }
    }

    /**
     * Returns the symmetric quantization to 8 bits in groups of 64. The error is at most half of a 127th of the largest weight of a group.
     */
    public static Quantization int8() {
        return new Quantization(Layout.NONE, 8, 64);
    }

    /** Returns the quantization to 4 bits in groups of 32. The error is at most half of a 15th of the range of a group. */
    public static Quantization int4() {
        return new Quantization(Layout.NONE, 4, 32);
    }

    /** Returns the quantization with a name, {@code int8} or {@code int4}. */
    public static Quantization of(String name) {
        return switch (name) {
            case "int8" -> int8();
            case "int4" -> int4();
            default ->
                throw new OutpostException(FaultKind.USER, "quantize: expected int8 or int4, got \"" + name + "\"");
        };
    }

    /** True if files hold codes. */
    public boolean isStored() {
        return layout != Layout.NONE;
    }

    /** Returns the quantization of a configuration's {@code quantization_config}. Fails if the layout is unknown. */
    static Optional<Quantization> of(ModelConfig config) {
        return config.part("quantization_config").map(Quantization::parse);
    }

    private static Quantization parse(ModelConfig config) {
        String method = config.text("quant_method", "");
        int bits = config.integer("bits", 4);
        Layout layout = switch (method) {
            case "gptq" -> {
                yield config.text("checkpoint_format", "gptq").equals("gptq_v2") ? Layout.GPTQ_V2 : Layout.GPTQ;
            }
            case "awq" -> Layout.AWQ;
            default -> throw refusal(config, "the method " + (method.isEmpty() ? "none" : method));
        };
        String version = config.text("version", "gemm");
        if (layout == Layout.AWQ && (!version.equalsIgnoreCase("gemm") || bits != 4)) {
            throw refusal(config, "AWQ's version " + version + " of " + bits + " bits");
        }
        if (bits != 4 && bits != 8) {
            throw refusal(config, method + " of " + bits + " bits");
        }
        int group = config.json().path("group_size").asInt(128);
        // −1 means one group for all inputs.
        return new Quantization(layout, bits, group < 1 ? Integer.MAX_VALUE : group);
    }

    private static OutpostException refusal(ModelConfig config, String what) {
        return new OutpostException(
                FaultKind.USER,
                config.name() + ": " + what + " is not known; known are gptq of 4 and 8 bits and awq of 4 bits in its"
                        + " version gemm");
    }

    /** Returns the number of bytes of the weights of a layer, including scales and zeros. */
    public long bytes(long inputs, long outputs) {
        long groups = inputs / groupOf(inputs) * outputs;
        return inputs * outputs * bits / Byte.SIZE + groups * (Short.BYTES + 1);
    }

    /** Returns the group size of a layer, which divides its inputs. */
    public int groupOf(long inputs) {
        if (isStored()) {
            return (int) Math.min(group, inputs);
        }
        long a = inputs;
        long b = group;
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return (int) a;
    }
}
