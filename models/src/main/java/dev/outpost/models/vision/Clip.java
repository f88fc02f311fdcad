package dev.outpost.models.vision;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.Tokenizer;
import dev.outpost.models.architecture.Activations;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.architecture.WeightLoader;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Init;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleList;
import dev.outpost.nn.Parameter;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * CLIP (Radford et al., 2021): embeds texts and images as vectors of length 1 in one space. Parameters have the names of
 * transformers' files. Thread-safe.
 *
 * <pre>{@code
 * try (var clip = Clip.load(machine, "hf://openai/clip-vit-base-patch32")) {
 *     Tensor scores = clip.scores(clip.embedImages(pixels), clip.embedTexts(List.of("a cat", "a dog")));
 * }
 * }</pre>
 */
public final class Clip extends Module implements AutoCloseable {
    private final ModelConfig text;
    private final ModelConfig vision;
    private final Source source;
    private final TextModel texts;
    private final VisionModel images;
    private final Linear textProjection;
    private final Linear imageProjection;
    private final Parameter scale;
    private Tokenizer tokenizer;

    private Clip(Source source, ModelConfig config) {
        this.source = source;
        text = part(config, "text_config");
        vision = part(config, "vision_config");
        long projected = config.integer("projection_dim", 512);
        texts = register("text_model", new TextModel());
        images = register("vision_model", new VisionModel());
        textProjection = register("text_projection", new Linear(text.integer("hidden_size", 512), projected, false));
        imageProjection =
                register("visual_projection", new Linear(vision.integer("hidden_size", 768), projected, false));
        scale = parameter("logit_scale", Init.zeros());
    }

    private static ModelConfig part(ModelConfig config, String key) {
        return config.part(key)
                .orElseThrow(() -> new OutpostException(FaultKind.USER, config.name() + ": config.json has no " + key));
    }

    /** Loads a model in the dtype of the stored weights. Waits for the machine. */
    public static Clip load(RemoteMachine machine, String uri) {
        return load(machine.open(uri));
    }

    /** Loads a model from an open source, like {@link #load(RemoteMachine, String)}. */
    public static Clip load(Source source) {
        return load(source, null);
    }

    /**
     * Loads a model like {@link #load(Source)}, in another dtype.
     *
     * @param dtype the dtype that weights are cast to while they are read; null for the stored one
     */
    public static Clip load(Source source, @Nullable DType dtype) {
        ModelConfig config = ModelConfig.parse(source.uri(), source.text("config.json"));
        if (!config.modelType().equals("clip")) {
            throw new OutpostException(
                    FaultKind.USER, source.uri() + ": expected the model type clip, got " + config.modelType());
        }
        Clip clip = new Clip(source, config);
        WeightLoader.load(
                clip,
                source,
                dtype == null ? WeightLoader.storedDType(source) : dtype,
                name -> name,
                spare -> spare.endsWith(".embeddings.position_ids"));
        return clip;
    }

    /** Returns the width and height of images in pixels. */
    public int imageSize() {
        return vision.integer("image_size", 224);
    }

    /**
     * Returns a vector of length 1 for each text, {@code [texts, features]}, float32. Texts that are too long are truncated.
     */
    public Tensor embedTexts(List<String> all) {
        return embedTokens(all.stream().map(this::tokens).toList());
    }

    private int[] tokens(String content) {
        int[] ids = tokenizer().encode(content);
        int max = text.integer("max_position_embeddings", 77);
        if (ids.length <= max) {
            return ids;
        }
        int[] cut = Arrays.copyOf(ids, max);
        cut[max - 1] = ids[ids.length - 1];
        return cut;
    }

    private synchronized Tokenizer tokenizer() {
        if (tokenizer == null) {
            tokenizer = Tokenizer.of(source);
        }
        return tokenizer;
    }

    /** Embeds tokenized texts, with the tokens that begin and end them, like {@link #embedTexts}. */
    public Tensor embedTokens(List<int[]> all) {
        int longest = all.stream().mapToInt(ids -> ids.length).max().orElse(0);
        if (longest == 0) {
            throw new OutpostException(FaultKind.USER, "embed: a text with tokens is needed");
        }
        long[] ids = new long[all.size() * longest];
        long[] ends = new long[all.size()];
        for (int row = 0; row < all.size(); row++) {
            int[] own = all.get(row);
            for (int place = 0; place < own.length; place++) {
                ids[row * longest + place] = own[place];
            }
            ends[row] = (long) row * longest + end(own);
        }
        RemoteMachine machine = source.machine();
        return GradMode.noGrad(() -> Scope.tidy(() -> {
            Tensor hidden = texts.forward(machine.tensor(ids, all.size(), longest));
            Tensor last = hidden.reshape(-1, hidden.size(-1)).indexSelect(0, machine.tensor(ends, all.size()));
            return unit(textProjection.forward(last));
        }));
    }

    /**
     * Returns the index of the token whose vector represents the text: the end token. Old configurations have a wrong id for it (2). For
     * these, the end token is the one with the largest id.
     */
    private int end(int[] ids) {
        int end = text.integer("eos_token_id", 49407);
        return IntStream.range(0, ids.length)
                .filter(place -> ids[place] == end && end != 2)
                .findFirst()
                .orElseGet(() -> IntStream.range(0, ids.length)
                        .reduce(0, (best, place) -> ids[place] > ids[best] ? place : best));
    }

    /**
     * Returns a vector of length 1 for each image, {@code [images, features]}, float32.
     *
     * @param pixels {@code [images, channels, size, size]}, scaled according to the model's {@code
     *     preprocessor_config.json}
     */
    public Tensor embedImages(Tensor pixels) {
        return GradMode.noGrad(() -> Scope.tidy(() -> unit(imageProjection.forward(images.forward(pixels)))));
    }

    /**
     * Returns the similarity of images and texts, {@code [images, texts]}. A softmax over the texts turns it into
     * probabilities.
     */
    public Tensor scores(Tensor ofImages, Tensor ofTexts) {
        return GradMode.noGrad(() -> Scope.tidy(() -> ofImages.matmul(ofTexts.mT())
                .mul(scale.tensor().to(DType.FLOAT32).exp())));
    }

    private static Tensor unit(Tensor x) {
        Tensor wide = x.to(DType.FLOAT32);
        return wide.div(wide.mul(wide).sum(-1, true).sqrt());
    }

    private static LayerNorm norm(ModelConfig config) {
        return new LayerNorm(Shape.of(config.integer("hidden_size")), config.real("layer_norm_eps", 1e-5), true);
    }

    private final class TextModel extends Module {
        private final TextEmbeddings embeddings = register("embeddings", new TextEmbeddings());
        private final Stack encoder = register("encoder", new Stack(text, true));
        private final LayerNorm norm = register("final_layer_norm", norm(text));

        @Override
        public Tensor forward(Tensor ids) {
            return Scope.tidy(() -> norm.forward(encoder.forward(embeddings.forward(ids))));
        }
    }

    private final class TextEmbeddings extends Module {
        private final Embedding tokens =
                register("token_embedding", new Embedding(text.integer("vocab_size"), text.integer("hidden_size")));
        private final Embedding places = register(
                "position_embedding",
                new Embedding(text.integer("max_position_embeddings", 77), text.integer("hidden_size")));

        @Override
        public Tensor forward(Tensor ids) {
            return Scope.tidy(
                    () -> tokens.forward(ids).add(places.weight().tensor().narrow(0, 0, ids.size(1))));
        }
    }

    private final class VisionModel extends Module {
        private final VisionEmbeddings embeddings = register("embeddings", new VisionEmbeddings());
        // The files have this spelling.
        private final LayerNorm before = register("pre_layrnorm", norm(vision));

        private final Stack encoder = register("encoder", new Stack(vision, false));
        private final LayerNorm behind = register("post_layernorm", norm(vision));

        @Override
        public Tensor forward(Tensor pixels) {
            return Scope.tidy(() -> {
                Tensor hidden = encoder.forward(before.forward(embeddings.forward(pixels)));
                return behind.forward(hidden.narrow(1, 0, 1).squeeze(1));
            });
        }
    }

    private final class VisionEmbeddings extends Module {
        private final long features = vision.integer("hidden_size");
        private final Parameter whole = parameter("class_embedding", Init.zeros(), features);
        private final Patches patches = register("patch_embedding", new Patches());
        private final Embedding places;

        VisionEmbeddings() {
            long side = imageSize() / vision.integer("patch_size", 32);
            places = register("position_embedding", new Embedding(side * side + 1, features));
        }

        @Override
        public Tensor forward(Tensor pixels) {
            return Scope.tidy(
                    () -> PatchEmbeddings.of(pixels, imageSize(), patches.weight.tensor(), null, whole.tensor())
                            .add(places.weight().tensor()));
        }
    }

    private final class Patches extends Module {
        private final Parameter weight;

        Patches() {
            long patch = vision.integer("patch_size", 32);
            weight = parameter(
                    "weight",
                    Init.zeros(),
                    vision.integer("hidden_size"),
                    vision.integer("num_channels", 3),
                    patch,
                    patch);
        }
    }

    private static final class Stack extends Module {
        private final List<Layer> layers = new ArrayList<>();

        Stack(ModelConfig config, boolean isCausal) {
            for (int layer = 0; layer < config.integer("num_hidden_layers", 12); layer++) {
                layers.add(new Layer(config, isCausal));
            }
            register("layers", new ModuleList<>(layers));
        }

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> {
                Tensor now = x;
                for (Layer layer : layers) {
                    now = layer.forward(now);
                }
                return now;
            });
        }
    }

    private static final class Layer extends Module {
        private final Heads heads;
        private final LayerNorm before;
        private final FeedForward feedForward;
        private final LayerNorm between;

        Layer(ModelConfig config, boolean isCausal) {
            heads = register("self_attn", new Heads(config, isCausal));
            before = register("layer_norm1", norm(config));
            feedForward = register("mlp", new FeedForward(config));
            between = register("layer_norm2", norm(config));
        }

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> {
                Tensor attended = x.add(heads.forward(before.forward(x)));
                return attended.add(feedForward.forward(between.forward(attended)));
            });
        }
    }

    private static final class Heads extends Module {
        private final int count;
        private final boolean isCausal;
        private final Linear query;
        private final Linear key;
        private final Linear value;
        private final Linear output;

        Heads(ModelConfig config, boolean isCausal) {
            int features = config.integer("hidden_size");
            count = config.integer("num_attention_heads");
            this.isCausal = isCausal;
            query = register("q_proj", new Linear(features, features));
            key = register("k_proj", new Linear(features, features));
            value = register("v_proj", new Linear(features, features));
            output = register("out_proj", new Linear(features, features));
        }

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> output.forward(Functional.scaledDotProductAttention(
                            split(query.forward(x)), split(key.forward(x)), split(value.forward(x)), isCausal)
                    .output()
                    .transpose(1, 2)
                    .reshape(x.size(0), x.size(1), x.size(2))));
        }

        private Tensor split(Tensor x) {
            return x.reshape(x.size(0), x.size(1), count, -1).transpose(1, 2);
        }
    }

    private static final class FeedForward extends Module {
        private final ModelConfig config;
        private final Linear in;
        private final Linear out;

        FeedForward(ModelConfig config) {
            this.config = config;
            in = register("fc1", new Linear(config.integer("hidden_size"), config.integer("intermediate_size")));
            out = register("fc2", new Linear(config.integer("intermediate_size"), config.integer("hidden_size")));
        }

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> out.forward(
                    Activations.of(config, "hidden_act", "quick_gelu").apply(in.forward(x))));
        }
    }

    /** Releases the weights. */
    @Override
    public synchronized void close() {
        if (tokenizer != null) {
            tokenizer.close();
        }
        WeightLoader.close(this);
    }
}
