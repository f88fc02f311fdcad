package dev.outpost.models;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.architecture.Quantization;
import dev.outpost.models.architecture.T5;
import dev.outpost.models.architecture.WeightLoader;
import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An encoder-decoder model, which reads a whole text and then generates another text: T5 and its later forms.
 *
 * <pre>{@code
 * try (var t5 = Seq2SeqLM.load(machine, "hf://google/flan-t5-small")) {
 *     String german = t5.generate("translate English to German: How are you?", Sampling.greedy()).toEnd();
 * }
 * }</pre>
 *
 * <p>Thread-safe; generations of several threads take turns on the machine.
 */
public final class Seq2SeqLM implements AutoCloseable {
    private final Source source;
    private final RemoteMachine machine;
    private final T5 model;
    private final DType dtype;
    private final Set<Integer> ends;
    private Tokenizer tokenizer;

    private Seq2SeqLM(Source source, T5 model, DType dtype, Set<Integer> ends) {
        this.source = source;
        this.machine = source.machine();
        this.model = model;
        this.dtype = dtype;
        this.ends = ends;
    }

    /** Loads a model in the dtype of the stored weights. Waits for the machine. */
    public static Seq2SeqLM load(RemoteMachine machine, String uri) {
        return load(machine.open(uri), null);
    }

    /** @param dtype the dtype of the weights, or null for the stored one */
    public static Seq2SeqLM load(Source source, DType dtype) {
        return load(source, dtype, null);
    }

    /**
     * Loads a model like {@link #load(Source, DType)}, and quantizes the weights of attention and feed-forward nets as the
     * machine reads them.
     *
     * @param quantize {@link Quantization#int8} or {@link Quantization#int4}, or null to keep the weights as stored
     */
    public static Seq2SeqLM load(Source source, DType dtype, @Nullable Quantization quantize) {
        ModelConfig config = ModelConfig.parse(source.uri(), source.text("config.json"));
        if (!config.modelType().equals("t5")) {
            throw new OutpostException(
                    FaultKind.USER,
                    source.uri() + ": the model type " + config.modelType()
                            + " is not known as one that writes a text for a text; known are t5");
        }
        DType stored = dtype == null ? WeightLoader.storedDType(source) : dtype;
        T5 model = new T5(CausalLM.quantized(config, quantize));
        WeightLoader.load(model, source, stored, name -> name, T5::isSpare);
        return new Seq2SeqLM(source, model, stored, CausalLM.ends(source, config));
    }

    /** Returns the network. */
    public T5 module() {
        return model;
    }

    /** Returns the tokenizer. Fails if the model comes without one. The first call waits until the file is read. */
    public synchronized Tokenizer tokenizer() {
        if (tokenizer == null) {
            tokenizer = Tokenizer.of(source);
        }
        return tokenizer;
    }

    /** Starts to generate the output for a text. */
    public TextStream generate(String text, Sampling sampling, String... stops) {
        return new TextStream(generate(List.of(tokenizer().encode(text)), sampling), tokenizer(), List.of(stops));
    }

    /** Starts to generate the outputs for tokenized texts, which may differ in length. */
    public synchronized Generation generate(List<int[]> texts, Sampling sampling) {
        if (texts.isEmpty() || texts.stream().anyMatch(ids -> ids.length == 0)) {
            throw new OutpostException(FaultKind.USER, "generate: texts with tokens are needed");
        }
        Steps steps = new Steps(sampling, texts);
        return new Generation(steps, List.copyOf(texts), sampling, null, ends, () -> {});
    }

    /**
     * Returns the scores after each token of the decoder, {@code [batch, tokens, vocabulary]}.
     *
     * @param texts the tokens for the encoder
     * @param decoded the decoder's tokens, {@code [batch, tokens]}, int64
     */
    public synchronized Tensor logits(List<int[]> texts, Tensor decoded) {
        long tokens = decoded.size(1);
        model.prepare(machine, Math.max(tokens, longest(texts)));
        return GradMode.noGrad(() -> Scope.tidy(() -> {
            Encoded encoded = encode(texts);
            Tensor positions = machine.arange(tokens);
            return model.decode(
                    decoded,
                    positions,
                    tokens,
                    (layer, keys, values) -> new T5.KeysAndValues(keys, values),
                    encoded.cross,
                    encoded.isToken);
        }));
    }

    private static int longest(List<int[]> texts) {
        return texts.stream().mapToInt(ids -> ids.length).max().orElseThrow();
    }

    /** The encoder's results that the decoder attends to. */
    private record Encoded(List<T5.KeysAndValues> cross, Tensor isToken) {
        List<Tensor> tensors() {
            List<Tensor> all = new ArrayList<>(List.of(isToken));
            cross.forEach(layer -> all.addAll(List.of(layer.keys(), layer.values())));
            return all;
        }
    }

    private Encoded encode(List<int[]> texts) {
        Embedder.Batch batch = Embedder.batch(machine, model.padding(), texts);
        Tensor hidden = model.encode(batch.ids(), batch.isToken());
        List<T5.KeysAndValues> cross = new ArrayList<>();
        for (int layer = 0; layer < model.decoderLayers(); layer++) {
            cross.add(model.cross(layer, hidden));
        }
        return new Encoded(cross, batch.isToken());
    }

    /** The steps of one batch. Its caches have room for texts of the maximum length. */
    private final class Steps implements TokenSteps {
        private final int batch;
        private final RowSampler sampler;
        private final Map<RowSampler.Kind, Program> programs = new HashMap<>();
        /** The slot of each text, {@code [batch]}. */
        private final Tensor slots;

        private final List<Tensor> keys = new ArrayList<>();
        private final List<Tensor> values = new ArrayList<>();
        private final long capacity;
        /** The further inputs of each step: the mask, then keys and values by layer. */
        private final List<Tensor> given = new ArrayList<>();

        private BatchRule rule = new BatchRule(Sampling.greedy(), null);
        private Tensor latest;
        private Tensor position;

        Steps(Sampling sampling, List<int[]> texts) {
            batch = texts.size();
            capacity = sampling.maxTokens();
            model.prepare(machine, Math.max(capacity, longest(texts)));
            sampler = new RowSampler(machine, batch, model.vocabulary());
            slots = machine.unscoped(() -> machine.arange(batch));
        }

        private List<Tensor> step(RowSampler.Kind kind, List<Tensor> inputs) {
            return GradMode.noGrad(() -> {
                Tensor place = inputs.get(1);
                List<T5.KeysAndValues> cross = new ArrayList<>();
                for (int layer = 0; layer < model.decoderLayers(); layer++) {
                    cross.add(new T5.KeysAndValues(inputs.get(3 + 2 * layer), inputs.get(4 + 2 * layer)));
                }
                Tensor logits =
                        model.decode(inputs.get(0).reshape(-1, 1), place, capacity, cache(place), cross, inputs.get(2));
                Tensor scores = logits.squeeze(1).to(DType.FLOAT32);
                int rules = 3 + 2 * model.decoderLayers();
                Tensor next = sampler.next(kind, scores, slots, inputs.subList(rules, inputs.size()));
                return List.of(next, place.add(1));
            });
        }

        private T5.Cache cache(Tensor place) {
            return (layer, newKeys, newValues) -> {
                keys.get(layer).indexCopy_(2, place, newKeys);
                values.get(layer).indexCopy_(2, place, newValues);
                return new T5.KeysAndValues(keys.get(layer), values.get(layer));
            };
        }

        @Override
        public CompletableFuture<HostTensor> begin(
                List<int[]> texts, Sampling sampling, @Nullable TokenConstraint constraint) {
            rule = new BatchRule(sampling, constraint);
            for (int text = 0; text < batch; text++) {
                // Penalties ignore the tokens of the input text.
                sampler.begin(text, rule.beginning(new int[0]));
            }
            return machine.unscoped(() -> GradMode.noGrad(() -> {
                Encoded encoded = Scope.tidy(() -> encode(texts), Encoded::tensors);
                given.addAll(encoded.tensors());
                for (int layer = 0; layer < model.decoderLayers(); layer++) {
                    keys.add(machine.zeros(dtype, batch, model.heads(), capacity, model.headSize()));
                    values.add(machine.zeros(dtype, batch, model.heads(), capacity, model.headSize()));
                }
                latest = machine.full(model.start(), DType.INT64, batch);
                position = machine.zeros(DType.INT64, 1);
                return next();
            }));
        }

        @Override
        public CompletableFuture<HostTensor> next() {
            List<SamplingMetadata> choices = rule.next(batch);
            RowSampler.Kind kind = RowSampler.Kind.of(choices);
            Program step = programs.computeIfAbsent(kind, which -> machine.program(inputs -> step(which, inputs)));
            Tensor before = latest;
            Tensor place = position;
            List<Tensor> results = machine.unscoped(() -> Scope.tidy(
                    () -> {
                        List<Tensor> inputs = new ArrayList<>(List.of(before, place));
                        inputs.addAll(given);
                        inputs.addAll(sampler.inputs(kind, choices, batch));
                        return step.call(inputs.toArray(Tensor[]::new));
                    },
                    called -> called));
            before.close();
            place.close();
            latest = results.get(0);
            position = results.get(1);
            return latest.fetch();
        }

        @Override
        public void end() {
            programs.values().forEach(Program::close);
            sampler.close();
            slots.close();
            List<Tensor> held = new ArrayList<>(given);
            held.addAll(keys);
            held.addAll(values);
            held.add(latest);
            held.add(position);
            held.stream().filter(tensor -> tensor != null).forEach(Tensor::close);
        }
    }

    /** Releases the weights. */
    @Override
    public synchronized void close() {
        if (tokenizer != null) {
            tokenizer.close();
        }
        WeightLoader.close(model);
    }
}
