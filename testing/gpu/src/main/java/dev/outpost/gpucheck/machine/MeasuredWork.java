package dev.outpost.gpucheck.machine;

import dev.outpost.RemoteMachine;
import dev.outpost.gpucheck.part.CheckPart;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A measured work.
 *
 * @param name the name, which PyTorch's side also uses
 * @param work creates it on a machine
 * @param needs the bytes of its weights; it is skipped if they do not fit
 * @param reads the bytes of weights that a step reads once, if its rate is reported as a share of a copy's rate; else 0
 * @param tokens the number of tokens that a step generates, if its rate is reported; else 0
 */
record MeasuredWork(
        String name,
        BiFunction<WorkSizes, RemoteMachine, GpuWorkload> work,
        List<Aim> aims,
        long needs,
        long reads,
        int tokens) {
    /** Makes a work that fits on every GPU. */
    MeasuredWork(String name, BiFunction<WorkSizes, RemoteMachine, GpuWorkload> work, List<Aim> aims) {
        this(name, work, aims, 0, 0, 0);
    }

    private static final List<Aim> AS_COMPILED = List.of(new Aim("compiled", 1));
    private static final List<Aim> TRAINING = List.of(new Aim("eager", 2), new Aim("compiled", 1));
    private static final List<Aim> PRODUCT = List.of(new Aim("eager", 0.97));
    private static final List<Aim> ATTENTION = List.of(new Aim("eager", 0.6));
    private static final List<Aim> ATTENTION_GRADIENT = List.of(new Aim("eager", 0.5));

    private static final List<Aim> MODEL = List.of(new Aim("eager", 1));
    /** Makes a work that is compared with whole batches of transformers, and with vLLM's own scheduler. */
    private static final List<Aim> SERVING = List.of(new Aim("eager", 1), new Aim("vLLM", 0.9));

    /** The number of texts that are generated concurrently. */
    private static final List<Integer> CONCURRENT = List.of(1, 16, 64);

    private static final List<Aim> SMALL_MODEL = List.of(new Aim("eager", 5));

    private static final List<MeasuredWork> WITHOUT_MODELS = List.of(
            new MeasuredWork(
                    "product-bfloat16-large",
                    (sizes, machine) -> Works.product(sizes.largeMatrix(), DType.BFLOAT16, machine),
                    PRODUCT),
            new MeasuredWork(
                    "product-bfloat16",
                    (sizes, machine) -> Works.product(sizes.matrix(), DType.BFLOAT16, machine),
                    PRODUCT),
            new MeasuredWork(
                    "product-float32",
                    (sizes, machine) -> Works.product(sizes.matrix(), DType.FLOAT32, machine),
                    PRODUCT),
            new MeasuredWork("chain-of-8", Works::chain, List.of(new Aim("eager", 3))),
            new MeasuredWork("softmax", Works::softmax, AS_COMPILED),
            new MeasuredWork("layer-norm", Works::layerNorm, AS_COMPILED),
            new MeasuredWork("cross-entropy", Works::crossEntropy, AS_COMPILED),
            attention(64),
            attentionGradient(64),
            attention(128),
            attentionGradient(128),
            new MeasuredWork("mlp", Works::mlp, TRAINING),
            new MeasuredWork("transformer", Works::transformer, TRAINING));

    /** Returns the works of a part. */
    static List<MeasuredWork> of(CheckPart part, WorkSizes sizes) {
        return switch (part) {
            case OPS -> WITHOUT_MODELS;
            case MODELS -> models(sizes);
            case SERVING -> served(sizes);
            default -> throw new IllegalArgumentException("gpu-check: " + part + " measures no works");
        };
    }

    private static List<MeasuredWork> models(WorkSizes sizes) {
        List<MeasuredWork> all = new ArrayList<>();
        for (LlamaShape shape : sizes.models()) {
            long bytes = shape.weights() * DType.BFLOAT16.bytes();
            List<Aim> aims = shape == LlamaShape.M135 ? SMALL_MODEL : MODEL;
            all.add(new MeasuredWork(
                    "decode-" + shape.name(), (_, machine) -> LlamaWork.decode(shape, machine), aims, bytes, bytes, 0));
            all.add(new MeasuredWork(
                    "prefill-" + shape.name(), (_, machine) -> LlamaWork.prefill(shape, machine), MODEL, bytes, 0, 0));
        }
        return all;
    }

    private static List<MeasuredWork> served(WorkSizes sizes) {
        return sizes.served().stream()
                .flatMap(shape -> CONCURRENT.stream().map(texts -> serving(shape, texts)))
                .toList();
    }

    private static MeasuredWork serving(LlamaShape shape, int texts) {
        return new MeasuredWork(
                "serve-" + shape.name() + "-" + texts,
                (_, machine) -> LlamaWork.serve(shape, machine, texts),
                SERVING,
                shape.weights() * DType.BFLOAT16.bytes() + LlamaWork.poolBytes(shape, texts + 1),
                0,
                texts);
    }

    private static MeasuredWork attention(long features) {
        return new MeasuredWork(
                "attention-" + features, (sizes, machine) -> Works.attention(sizes, features, machine), ATTENTION);
    }

    private static MeasuredWork attentionGradient(long features) {
        return new MeasuredWork(
                "attention-and-gradient-" + features,
                (sizes, machine) -> Works.attentionAndGradient(sizes, features, machine),
                ATTENTION_GRADIENT);
    }
}
